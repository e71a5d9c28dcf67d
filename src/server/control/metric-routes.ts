/** Route: figures of the process, for Prometheus. */
import { Hono } from 'hono'
import { Refusal } from '../../core/model/refusal.ts'
import { about } from './about.ts'
import type { ControlEnv } from './control-context.ts'
import { serverLevel } from './world-routes.ts'

/** Of the whole process, whatever its worlds. */
export function metricRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/metrics',
    about('Figures of this process, for Prometheus', {
      errors: ['404 SERVER_LEVEL', '501 NOT_SUPPORTED'],
      answers: { 'text/plain': 'Requests, steps, callbacks, commits, worlds and the process, in the text format.' },
    }),
    async (c) => {
      serverLevel(c, 'metrics are those of the whole process: GET', 'metrics')
      const { metrics } = c.env
      if (!metrics)
        throw new Refusal('NOT_SUPPORTED', 'this host counts nothing: its platform has figures of its own', {
          status: 501,
          message: 'Not supported',
        })
      const { contentType, text } = await metrics()
      return c.body(text, 200, { 'content-type': contentType })
    },
  )
}
