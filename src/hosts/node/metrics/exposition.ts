/** Metrics of a process in the format of Prometheus; loaded on demand. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { LANE } from '../../../core/model/due.ts'
import type { World } from '../../../core/world.ts'
import type { Worlds } from '../../../core/worlds.ts'
import type { Metrics } from '../../../server/front-ports.ts'
import type { Distribution, ProcessCounts } from './figures.ts'

/** Left out, because only a counter's name may end in `_total`. Each of these gauges also exists by kind, without it. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

type Values = { metricName?: string; labels: Readonly<Record<string, string>>; value: number }[]

export function expositionOf(counts: ProcessCounts, worlds: Worlds, version: string): Metrics {
  const registry = new Registry()
  const tell = (type: 'counter' | 'gauge' | 'histogram', name: string, help: string, values: () => Values) => {
    const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' as const })
    // A registry asks no more of a metric than this; the library's own count by themselves.
    registry.registerMetric({ name, get } as never)
  }
  const histogram = (name: string, of: Distribution, unit: number, help: string) =>
    tell('histogram', name, help, () => distribution(name, of, unit))

  tell('gauge', 'mfano_build_info', 'The version that runs: always 1.', () => [{ labels: { version }, value: 1 }])
  tell(
    'counter',
    'mfano_requests_total',
    'Answered requests to the simulated service. operation="none": no operation is at that path and method. status="0": the connection was severed on purpose.',
    () =>
      Object.entries(counts.requests).flatMap(([operation, byStatus]) =>
        Object.entries(byStatus).map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
  )
  const answeredIn = 'From the first byte of a request to its answer.'
  histogram('mfano_request_duration_seconds', counts.requestMs, 1000, answeredIn)
  tell('counter', 'mfano_steps_total', 'Steps of payments that were due and have been taken.', () => [
    { labels: {}, value: counts.steps },
  ])
  tell(
    'gauge',
    'mfano_agenda_lag_seconds',
    'How long the most belated step or callback has been due, in real seconds, of all open worlds whose clock goes. lane="steps" are payments, lane="deliveries" callbacks, those under way among them.',
    () =>
      (['steps', 'deliveries'] as const).map((lane) => ({
        labels: { lane },
        value: Math.max(0, ...worlds.open.map((world) => lagS(world, LANE[lane]))),
      })),
  )
  tell(
    'counter',
    'mfano_callback_attempts_total',
    'Tries at telling a merchant. accepted: received. rejected: answered otherwise. unanswered: no answer came.',
    () => Object.entries(counts.attempts).map(([result, value]) => ({ labels: { result }, value })),
  )
  const toldIn = 'From sending a callback to its answer, or to giving up.'
  histogram('mfano_callback_duration_seconds', counts.attemptMs, 1000, toldIn)
  const pieces = 'Requests, batches of steps and records of callbacks in one commit.'
  histogram('mfano_commit_batch_size', counts.batches, 1, pieces)
  tell('gauge', 'mfano_worlds', 'state="known": all worlds. state="open": those whose databases are open now.', () => [
    { labels: { state: 'known' }, value: worlds.count },
    { labels: { state: 'open' }, value: worlds.open.length },
  ])
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return async () => ({
    contentType: registry.contentType,
    // The library writes "Nan" for means of nothing yet, and the format knows "NaN" alone.
    text: (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN'),
  })
}

/** Real seconds; 0 while the world's time stands. */
function lagS({ core: { clock, store } }: World, lane: (typeof LANE)[keyof typeof LANE]): number {
  const dueUs = store.agenda.earliest(lane)
  return dueUs === Number.POSITIVE_INFINITY || clock.rate === 0 ? 0 : (clock.now() - dueUs) / clock.rate / 1e6
}

/** `unit`: how many counted values make one of the metric's unit. */
function distribution(name: string, of: Distribution, unit: number): Values {
  let count = 0
  const buckets = of.counts.map((more, i) => {
    count += more
    const bound = of.bounds[i]
    const le = bound === undefined ? '+Inf' : String(bound / unit)
    return { metricName: `${name}_bucket`, labels: { le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, value: of.sum / unit },
    { metricName: `${name}_count`, labels: {}, value: count },
  ]
}
