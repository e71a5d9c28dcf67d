/** Operations that return figures for charts. */

import * as z from 'zod'
import { inSteps } from '../../../core/host.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { callbackCountsShape } from '../callbacks/callback-answers.ts'
import { controlOperation } from '../declared-operation.ts'
import { paymentCountsShape } from './event-answers.ts'

/** Newest payments and attempts that are read. A limit, because a world can be large and a chart needs no more. */
const LOOKED_AT = 10_000
const COLUMNS = 24
/** Upper bounds of the latency classes, in real milliseconds. */
const LATENCIES_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 5_000] as const

const readStatistics = controlOperation('statistics.show', {
  method: 'GET',
  path: '/statistics',
  summary: 'Read statistics for charts',
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
  run: (c) => statistics(c.env.world, c.req.raw.signal),
})

async function statistics({ core: { store }, host }: World, left: AbortSignal) {
  const payments = await inSteps(host, store.payments.countingByStatus(), left)
  const { counts, retrying } = await inSteps(host, store.callbacks.counting(), left)
  return {
    payments: { total: payments.reduce((sum, { count }) => sum + count, 0), byKind: payments },
    callbacks: counts,
    retrying,
    overTime: overTime(store.payments.newestTimes(LOOKED_AT)),
    latency: latency(store.callbacks.newestLatencies(LOOKED_AT)),
  }
}

function overTime(times: { status: string; createdAtUs: number }[]) {
  const first = times.at(-1)?.createdAtUs
  const last = times[0]?.createdAtUs
  if (first === undefined || last === undefined) return []
  const spanUs = Math.max(1, Math.ceil((last - first + 1) / COLUMNS))
  const columns = Array.from({ length: Math.floor((last - first) / spanUs) + 1 }, (_, i) => {
    const counts: Record<string, number> = {}
    return { from: isoInstant(first + i * spanUs), counts }
  })
  for (const { status, createdAtUs } of times) {
    const counts = columns[Math.floor((createdAtUs - first) / spanUs)]?.counts
    if (counts) counts[status] = (counts[status] ?? 0) + 1
  }
  return columns
}

/** `upToMs` is null for the slowest class. */
function latency(tookMs: number[]) {
  const classes = [...LATENCIES_MS, null].map((upToMs) => ({ upToMs, count: 0 }))
  for (const took of tookMs) {
    const found = classes.find(({ upToMs }) => upToMs === null || took <= upToMs)
    if (found) found.count++
  }
  return classes
}

export const statisticOperations = [readStatistics] as const
