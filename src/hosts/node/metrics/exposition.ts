/** Metrics of a process in the format of Prometheus; loaded on demand. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Worlds } from '../../../core/worlds.ts'
import type { Metrics } from '../../../server/front-ports.ts'
import { CONTENT_TYPE, figuresText, lagOf, type ProcessCounts } from './figures.ts'

/** Left out, because only a counter's name may end in `_total`. Each of these gauges also exists by kind, without it. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function expositionOf(counts: ProcessCounts, worlds: Worlds, version: string): Metrics {
  const used = new Registry()
  collectDefaultMetrics({ register: used })
  for (const name of MISNAMED) used.removeSingleMetric(name)
  return async () => {
    const figures = await figuresText({
      version,
      worlds: { known: worlds.count, open: worlds.open.length },
      sources: [{ labels: {}, counts, lagS: lagOf(worlds.open) }],
    })
    // The library writes "Nan" for means of nothing yet, and the format knows "NaN" alone.
    return { contentType: CONTENT_TYPE, text: figures + (await used.metrics()).replaceAll(/ Nan$/gm, ' NaN') }
  }
}
