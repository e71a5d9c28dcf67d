/** Route: what happened in a world, for a test that failed. */
import { Hono } from 'hono'
import * as z from 'zod'
import { reportOn, reportText } from '../../explain/world-report.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json } from './control-context.ts'

const asked = z.strictObject({
  /** `text` is for people. */
  format: z.enum(['json', 'text'], 'must be json or text').default('json'),
})

/** The newest payments and refusals, explained. `format=text`: as the kits print it when a test fails. */
export function reportRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/report',
    about('What happened here, for the output of a test that failed', { answers: { 'text/plain': 'For people.' } }),
    asks(asked),
    (c) => {
      const report = reportOn(c.env.world, c.env.baseUrl)
      return c.req.valid('query').format === 'text' ? c.text(reportText(report)) : json(c, report)
    },
  )
}
