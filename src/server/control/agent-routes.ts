/** Route: what agents can do here, by the Model Context Protocol. */
import { Hono } from 'hono'
import { Refusal } from '../../core/model/refusal.ts'
import { about } from './about.ts'
import type { ControlEnv } from './control-context.ts'

/** For the whole server, whose worlds the tools name. */
export function agentRoutes() {
  return new Hono<ControlEnv>().on(
    ['GET', 'POST', 'DELETE'],
    '/_mfano/mcp',
    about('Answers agents, by the Model Context Protocol', {
      body: { 'application/json': 'A message of the protocol.' },
      errors: ['404 NOT_FOUND'],
      answers: { 'application/json': 'Messages of the protocol.', 'text/event-stream': 'The same, as they come.' },
    }),
    (c) => {
      const { answerAgent, serverLevel, origin } = c.env
      if (answerAgent && serverLevel) return answerAgent(c.req.raw)
      const details = answerAgent
        ? `agents are answered at ${origin}/_mfano/mcp; their tools name the world`
        : 'this mfano was started by a test and offers agents nothing; "mfano start" does'
      throw new Refusal('NOT_FOUND', details, { status: 404, message: 'Not found' })
    },
  )
}
