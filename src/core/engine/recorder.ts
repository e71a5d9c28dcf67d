/** Notes what comes to a world from outside, so that all of it can be repeated. */
import type { Clock } from '../clock/clock.ts'
import type { Command } from '../commands.ts'
import type { InstantUs } from '../model/time.ts'
import type { Input, RecordedCommand } from '../recording.ts'
import { type Scenario, type StoredScenario, toStored } from '../scenario.ts'
import type { RecordedTable } from '../store/recorded-table.ts'

/** Notes each input in the order in which it is worked on. Work that is part of an input is not noted again. */
export class Recorder {
  readonly #recorded: RecordedTable
  readonly #clock: Clock

  constructor(recorded: RecordedTable, clock: Clock) {
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
