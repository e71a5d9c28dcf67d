/** Operation that exports process metrics for Prometheus. */
import { Refusal } from '../../../core/model/refusal.ts'
import { controlOperation } from '../declared-operation.ts'
import { serverLevel } from '../worlds/world-operations.ts'

const readMetrics = controlOperation('metrics.show', {
  method: 'GET',
  path: '/metrics',
  summary: 'Read metrics of this process for Prometheus',
  answers: { 'text/plain': 'Requests, steps, callbacks, commits, worlds and the process, in the text format.' },
  errors: ['SERVER_LEVEL', 'NOT_SUPPORTED'],
  async run(c) {
    serverLevel(c, 'metrics are those of the whole process: GET', 'metrics')
    const { metrics } = c.env
    if (!metrics)
      throw new Refusal('NOT_SUPPORTED', 'this host counts nothing: its platform has figures of its own', {
        message: 'Not supported',
      })
    const { contentType, text } = await metrics()
    return c.body(text, 200, { 'content-type': contentType })
  },
})

export const metricOperations = [readMetrics] as const
