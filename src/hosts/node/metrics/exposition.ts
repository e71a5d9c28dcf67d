/** What a process has counted, as Prometheus reads it; loaded when it is asked for. */
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { LANE } from '../../../store/agenda-table.ts'
import type { World } from '../../../world/world.ts'
import type { Worlds } from '../../../world/worlds.ts'
import { attemptResults, type Distribution, type ProcessCounts } from './process-counts.ts'

/** What the figures of a process are taken from. */
export interface Source {
  counts: ProcessCounts
  worlds: Worlds
  version: string
}

/** The figures of a process; those of the process itself begin here. */
export function expositionOf({ counts, worlds, version }: Source): Registry {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'mfano_build_info',
    help: 'What runs here: always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Counter({
    name: 'mfano_requests_total',
    help: 'Answered requests to the simulated service. operation="none": no operation is at that path and method. status="0": the connection was severed on purpose.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [operation, byStatus] of Object.entries(counts.requests))
        for (const [status, count] of Object.entries(byStatus)) this.inc({ operation, status }, count)
    },
  })
  register(registry, 'mfano_request_duration_seconds', 'From the first byte of a request to its answer.', {
    of: counts.requestMs,
    unit: 1000,
  })
  new Counter({
    name: 'mfano_steps_total',
    help: 'Steps of payments that were due and have been taken.',
    registers,
    collect() {
      this.reset()
      this.inc(counts.steps)
    },
  })
  new Gauge({
    name: 'mfano_agenda_lag_seconds',
    help: 'How long the most belated step or callback has been due, in real seconds, of all open worlds whose clock goes. lane="steps" are payments, lane="deliveries" callbacks, those under way among them.',
    labelNames: ['lane'],
    registers,
    collect() {
      for (const lane of ['steps', 'deliveries'] as const)
        this.set({ lane }, Math.max(0, ...worlds.open.map((world) => lagS(world, LANE[lane]))))
    },
  })
  new Counter({
    name: 'mfano_callback_attempts_total',
    help: 'Tries at telling a merchant. accepted: received. rejected: answered otherwise. unanswered: no answer came.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const result of attemptResults) this.inc({ result }, counts.attempts[result])
    },
  })
  register(registry, 'mfano_callback_duration_seconds', 'From sending a callback to its answer, or to giving up.', {
    of: counts.attemptMs,
    unit: 1000,
  })
  register(registry, 'mfano_commit_batch_size', 'Requests, batches of steps and records of callbacks in one commit.', {
    of: counts.batches,
    unit: 1,
  })
  new Gauge({
    name: 'mfano_worlds',
    help: 'state="known": all worlds of this process. state="open": those whose databases are open now.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'known' }, worlds.count)
      this.set({ state: 'open' }, worlds.open.length)
    },
  })
  collectDefaultMetrics({ register: registry })
  return registry
}

/** How late a world is with what is due in a lane, in real seconds; not at all while its time stands. */
function lagS({ core: { clock, store } }: World, lane: (typeof LANE)[keyof typeof LANE]): number {
  const dueUs = store.agenda.earliest(lane)
  return dueUs === undefined || clock.rate === 0 ? 0 : (clock.now() - dueUs) / clock.rate / 1e6
}

/** A histogram of what was counted already. `unit`: of the counted values in one of those that are told. */
function register(
  registry: Registry,
  name: string,
  help: string,
  { of, unit }: { of: Distribution; unit: number },
): void {
  const get = async () => {
    let count = 0
    const buckets = of.counts.map((more, i) => {
      count += more
      const bound = of.bounds[i]
      return { metricName: `${name}_bucket`, labels: { le: bound === undefined ? '+Inf' : bound / unit }, value: count }
    })
    const values = [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: of.sum / unit },
      { metricName: `${name}_count`, labels: {}, value: count },
    ]
    return { name, help, type: 'histogram', values, aggregator: 'sum' }
  }
  // The library's own histogram counts by itself; a registry asks for no more than this.
  registry.registerMetric({ name, help, type: 'histogram', get } as unknown as Metric)
}
