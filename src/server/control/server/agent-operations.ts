/** Operation that serves agents over the Model Context Protocol. */
import { Refusal } from '../../../core/model/refusal.ts'
import { controlOperation } from '../declared-operation.ts'

const answering = <Verb extends string, M extends 'GET' | 'POST' | 'DELETE'>(verb: Verb, method: M) =>
  controlOperation(`agent.${verb}`, {
    method,
    path: '/mcp',
    summary: 'Answer agents by the Model Context Protocol',
    bodies: { 'application/json': 'A message of the protocol.' },
    answers: { 'application/json': 'Messages of the protocol.', 'text/event-stream': 'The same, as they come.' },
    errors: ['NOT_FOUND'],
    run(c) {
      const { answerAgent, serverLevel, origin } = c.env
      if (answerAgent && serverLevel) return answerAgent(c.req.raw)
      const details = answerAgent
        ? `agents are answered at ${origin}/_mfano/mcp; their tools name the world`
        : 'this mfano was started by a test and offers agents nothing; "mfano start" does'
      throw new Refusal('NOT_FOUND', details)
    },
  })

export const agentOperations = [
  answering('listen', 'GET'),
  answering('tell', 'POST'),
  answering('leave', 'DELETE'),
] as const
