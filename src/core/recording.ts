import type { Clock } from './engine/clock.ts'
import type { FieldProblem } from './model/refusal.ts'
import type { InstantUs } from './model/time.ts'
import { type Scenario, type StoredScenario, toStored } from './scenario.ts'
import type { RecordedTable } from './store/run-tables.ts'

/** A scenario in it is stored so that it can be loaded elsewhere. */
export type RecordedCommand = { command: string } & Record<string, unknown>

/** Enough to repeat the request, without any secret from outside the sandbox. */
export interface RecordedRequest {
  method: string
  path: string
  baseUrl: string
  headers: Record<string, string>
  body: string | null
  parsed: boolean
  refusal?: { code: string; details: string; status: number; message: string; fields: FieldProblem[] }
  assumed?: string[]
  unread?: string[]
  prepared?: unknown
  severable: boolean
}

type Input =
  | { command: RecordedCommand }
  | { steps: { byUs: InstantUs; limit: number } }
  /** A stage of a request. As a number: the entry that holds the request. */
  | { stage: 'fault' | 'answer'; request: number | RecordedRequest }

export type RecordedEntry = { atUs: InstantUs } & Input

/** In the order in which it is worked on. Work inside of an input is not recorded again. */
export class Recorder {
  readonly #recorded: RecordedTable
  readonly #clock: Clock
  #within = false

  constructor(recorded: RecordedTable, clock: Clock) {
    this.#recorded = recorded
    this.#clock = clock
  }

  /** Works at one instant, so that a replay can use the same. `noted` gets the number and instant of the entry. */
  during<T>(input: () => Input, work: () => T, noted?: (n: number, atUs: InstantUs) => void): T {
    if (this.#within) return work()
    const atUs = this.#clock.now()
    const n = this.#recorded.append({ atUs, ...input() })
    noted?.(n, atUs)
    return this.within(atUs, work)
  }

  within<T>(atUs: InstantUs, work: () => T): T {
    if (this.#within) return work()
    this.#within = true
    try {
      return this.#clock.hold(atUs, work)
    } finally {
      this.#within = false
    }
  }
}

export function toRecorded({ scenario, ...command }: { command: string; scenario?: Scenario }): RecordedCommand {
  return scenario ? { ...command, scenario: portable(scenario) } : command
}

export function portable(scenario: Scenario): StoredScenario {
  if (scenario.file === undefined) return toStored(scenario)
  const { source, parameters } = scenario.sendable()
  return { name: scenario.name, source, parameters }
}
