import Registry from 'prom-client/lib/registry.js'
import { LANE } from '../../../core/model/due.ts'
import type { World } from '../../../core/world.ts'

type Labels = Readonly<Record<string, string>>
type Values = { metricName?: string; labels: Labels; value: number }[]

const lanes = ['steps', 'deliveries'] as const

export type Lag = Record<(typeof lanes)[number], number>

export interface FigureSource {
  labels: Labels
  counts: Pick<Counts, 'requests' | 'steps' | 'attempts'> & {
    [name in 'requestMs' | 'attemptMs' | 'batches']: Pick<Distribution, 'bounds' | 'counts' | 'sum'>
  }
  lagS: Lag
}

export interface Figures {
  version: string
  worlds: Readonly<Record<string, number>>
  sources: readonly FigureSource[]
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

export function lagOf(worlds: readonly World[]): Lag {
  const lag = (lane: (typeof lanes)[number]) => Math.max(0, ...worlds.map((world) => lagS(world, LANE[lane])))
  return { steps: lag('steps'), deliveries: lag('deliveries') }
}

/** Real seconds; 0 while the world's time stands. */
function lagS({ core: { clock, store } }: World, lane: (typeof LANE)[keyof typeof LANE]): number {
  const dueUs = store.agenda.earliest(lane)
  return dueUs === undefined || clock.rate === 0 ? 0 : (clock.now() - dueUs) / clock.rate / 1e6
}

export function figuresText({ version, worlds, sources }: Figures): Promise<string> {
  const registry = new Registry()
  const tell = (type: 'counter' | 'gauge' | 'histogram', name: string, help: string, values: Values) => {
    const get = async () => ({ name, help, type, values, aggregator: 'sum' as const })
    // A registry asks no more of a metric than this; the library's own count by themselves.
    registry.registerMetric({ name, get } as never)
  }
  const ofEach = (values: (source: FigureSource) => Values) =>
    sources.flatMap((source) => values(source).map((one) => ({ ...one, labels: { ...source.labels, ...one.labels } })))

  tell('gauge', 'mfano_build_info', 'The version that runs: always 1.', [{ labels: { version }, value: 1 }])
  tell(
    'counter',
    'mfano_requests_total',
    'Answered requests to the simulated service. operation="none": no operation is at that path and method. status="0": the connection was severed on purpose.',
    ofEach(({ counts }) =>
      Object.entries(counts.requests).flatMap(([operation, byStatus]) =>
        Object.entries(byStatus).map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
    ),
  )
  const histogram = (name: string, of: 'requestMs' | 'attemptMs' | 'batches', unit: number, help: string) =>
    tell(
      'histogram',
      name,
      help,
      ofEach(({ counts }) => distribution(name, counts[of], unit)),
    )
  histogram('mfano_request_duration_seconds', 'requestMs', 1000, 'From the first byte of a request to its answer.')
  tell(
    'counter',
    'mfano_steps_total',
    'Steps of payments that were due and have been taken.',
    ofEach(({ counts }) => [{ labels: {}, value: counts.steps }]),
  )
  tell(
    'gauge',
    'mfano_agenda_lag_seconds',
    'How long the most belated step or callback has been due, in real seconds, of all open worlds whose clock goes. lane="steps" are payments, lane="deliveries" callbacks, those under way among them.',
    ofEach((source) => lanes.map((lane) => ({ labels: { lane }, value: source.lagS[lane] }))),
  )
  tell(
    'counter',
    'mfano_callback_attempts_total',
    'Tries at telling a merchant. accepted: received. rejected: answered otherwise. unanswered: no answer came.',
    ofEach(({ counts }) => attemptResults.map((result) => ({ labels: { result }, value: counts.attempts[result] }))),
  )
  const toldIn = 'From sending a callback to its answer, or to giving up.'
  histogram('mfano_callback_duration_seconds', 'attemptMs', 1000, toldIn)
  const pieces = 'Requests, batches of steps and records of callbacks in one commit.'
  histogram('mfano_commit_batch_size', 'batches', 1, pieces)
  tell(
    'gauge',
    'mfano_worlds',
    'state="known": all worlds. state="open": those whose databases are open now.',
    Object.entries(worlds).map(([state, value]) => ({ labels: { state }, value })),
  )
  return registry.metrics()
}

/** `unit`: how many counted values make one of the metric's unit. */
function distribution(name: string, of: FigureSource['counts']['batches'], unit: number): Values {
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

// Counts in plain objects, so that a request pays only for a few additions.

class Distribution {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let i = 0
    while (value > (bounds[i] ?? Number.POSITIVE_INFINITY)) i++
    counts[i] = (counts[i] ?? 0) + 1
    this.sum += value
  }
}

const attemptResults = ['accepted', 'rejected', 'unanswered'] as const

/** Milliseconds: from a request in memory to a receiver that hangs. */
const LATENCIES_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
/** A commit takes at most 512 pieces. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export type Counts = Pick<ProcessCounts, 'requests' | 'steps' | 'attempts' | 'requestMs' | 'attemptMs' | 'batches'>

export class ProcessCounts {
  readonly requests: Record<string, Record<number, number>> = {}
  readonly requestMs = new Distribution(LATENCIES_MS)
  steps = 0
  readonly attempts: Record<(typeof attemptResults)[number], number> = { accepted: 0, rejected: 0, unanswered: 0 }
  readonly attemptMs = new Distribution(LATENCIES_MS)
  readonly batches = new Distribution(BATCHES)

  request(operation: string | null, status: number, tookMs: number): void {
    const asked = operation ?? 'none'
    this.requests[asked] ??= {}
    const byStatus = this.requests[asked]
    byStatus[status] = (byStatus[status] ?? 0) + 1
    this.requestMs.add(tookMs)
  }

  attempt({ status, error, tookMs }: { status: number | null; error: string | null; tookMs: number }): void {
    this.attempts[error === null ? 'accepted' : status === null ? 'unanswered' : 'rejected']++
    this.attemptMs.add(tookMs)
  }
}
