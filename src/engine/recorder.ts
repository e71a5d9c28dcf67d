/** Notes what comes to a world from outside, so that all of it can be repeated. */
import type { Clock } from '../clock/clock.ts'
import type { JsonObject } from '../model/payment.ts'
import type { FieldProblem } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type StoredScenario, toStored } from '../scenarios/stored-scenario.ts'
import type { Recorded } from '../store/recorded-table.ts'
import type { Command, CommandKind } from './commands.ts'

/** A command as it is kept: a scenario in it is one that can be loaded elsewhere. */
export type RecordedCommand = { command: CommandKind } & Record<string, unknown>

/** What is kept of a request: enough to work on it again, and no secret that is not the sandbox's own. */
export interface RecordedRequest {
  method: string
  /** With the query, below the world's base URL. */
  path: string
  baseUrl: string
  headers: Record<string, string>
  body: string | null
  /** The body was read as JSON. */
  parsed: boolean
  /** Why it was to be refused before it was worked on. */
  refusal?: { code: string; details: string; status: number; message: string; fields: FieldProblem[] }
  /** Assumptions that had been asked how it is taken. */
  assumed?: string[]
  /** What slow preparations gave. */
  prepared?: unknown
  /** Its connection could be severed. */
  severable: boolean
}

/** Something that the judge of an app did outside of the world: what it asked of the app, or did to it. */
export type RecordedNote = { act: string } & JsonObject

/** What came from outside, or only with time. */
export type Input =
  | { command: RecordedCommand }
  /** Steps due by an instant, at most so many. */
  | { steps: { byUs: InstantUs; limit: number } }
  /** A stage of a request, by the number of the entry that has the request. */
  | { stage: 'fault' | 'answer'; request: number | RecordedRequest }
  | { note: RecordedNote }

/** An entry of a recording: an input, and the world's time then. */
export type RecordedEntry = { atUs: InstantUs } & Input

/** Notes each input in the order in which it is worked on. Work that is part of an input is not noted again. */
export class Recorder {
  readonly #recorded: Recorded
  readonly #clock: Clock

  constructor(recorded: Recorded, clock: Clock) {
    this.#recorded = recorded
    this.#clock = clock
  }

  /** Does the work of an input at one instant, so that it can be done again at the same; tells its number and instant. */
  during<T>(input: () => Input, work: () => T, noted?: (n: number, atUs: InstantUs) => void): T {
    if (this.#recorded.muted) return work()
    const atUs = this.#clock.now()
    const n = this.#recorded.append({ atUs, ...input() })
    noted?.(n, atUs)
    return this.within(atUs, work)
  }

  /** Does more work of an input, at its instant. */
  within<T>(atUs: InstantUs, work: () => T): T {
    if (this.#recorded.muted) return work()
    this.#recorded.muted = true
    try {
      return this.#clock.hold(atUs, work)
    } finally {
      this.#recorded.muted = false
    }
  }
}

/** A command as it is kept. */
export function toRecorded(command: Command): RecordedCommand {
  return command.command === 'set-scenario' ? { ...command, scenario: portable(command.scenario) } : { ...command }
}

/** A scenario that can be loaded where its files are not. */
export function portable(scenario: Scenario): StoredScenario {
  if (scenario.file === undefined) return toStored(scenario)
  const { source, parameters } = scenario.sendable()
  return { name: scenario.name, source, parameters }
}
