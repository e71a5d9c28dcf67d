/** Operations: figures for charts. */
import * as z from 'zod'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { callbackCountsShape } from '../callbacks/callback-answers.ts'
import { controlOperation } from '../declared-operation.ts'
import { paymentCountsShape } from './event-answers.ts'

/** So many of the newest payments and attempts are looked at for charts: enough for a picture, whatever the world holds. */
const LOOKED_AT = 10_000
/** Columns of the chart over simulated time. */
const COLUMNS = 24
/** Upper ends of the classes of delivery times, in real milliseconds. */
const LATENCIES_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 5_000] as const

const readStatistics = controlOperation('statistics.show', {
  method: 'GET',
  path: '/statistics',
  summary: 'Figures for charts',
  answer: () =>
    z.object({
      payments: paymentCountsShape(),
      callbacks: callbackCountsShape(),
      retrying: z.number().describe('Of those that are pending: tried in vain, and tried again.'),
      overTime: z.array(z.object({ from: z.string(), counts: z.record(z.string(), z.number()) })),
      latency: z.array(
        z.object({ upToMs: z.literal([10, 100, 1000, 25, 250, 5, 50, 500, 5000]).nullable(), count: z.number() }),
      ),
    }),
  run: (c) => statistics(c.env.world),
})

function statistics({ core: { store } }: World) {
  const payments = store.payments.countsByStatus()
  return {
    payments: { total: payments.reduce((sum, { count }) => sum + count, 0), byKind: payments },
    callbacks: store.callbacks.counts(),
    retrying: store.callbacks.retrying(),
    overTime: overTime(store.payments.newestTimes(LOOKED_AT)),
    latency: latency(store.callbacks.newestLatencies(LOOKED_AT)),
  }
}

/** Payments by state in equal spans of simulated time, the oldest first. */
function overTime(times: { status: string; createdAtUs: number }[]) {
  const first = times.at(-1)?.createdAtUs
  const last = times[0]?.createdAtUs
  if (first === undefined || last === undefined) return []
  const spanUs = Math.max(1, Math.ceil((last - first + 1) / COLUMNS))
  const columns = Array.from({ length: Math.floor((last - first) / spanUs) + 1 }, (_, i) => ({
    from: isoInstant(first + i * spanUs),
    counts: {} as Record<string, number>,
  }))
  for (const { status, createdAtUs } of times) {
    const counts = columns[Math.floor((createdAtUs - first) / spanUs)]?.counts
    if (counts) counts[status] = (counts[status] ?? 0) + 1
  }
  return columns
}

/** How many attempts were answered within which time; `upToMs` is null for the slowest class. */
function latency(tookMs: number[]) {
  const classes = [...LATENCIES_MS, null].map((upToMs) => ({ upToMs, count: 0 }))
  for (const took of tookMs) {
    const found = classes.find(({ upToMs }) => upToMs === null || took <= upToMs)
    if (found) found.count++
  }
  return classes
}

export const statisticOperations = [readStatistics] as const
