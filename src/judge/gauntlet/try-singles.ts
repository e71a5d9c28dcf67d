/** Single choices as results of a gauntlet, beside those of its scenarios. */
import { findingRecords } from '../../inspect/finding.ts'
import { appFindings } from '../app/app-findings.ts'
import { AppFailed } from '../app/app-process.ts'
import type { Choice } from '../explore/choice.ts'
import { recordOf } from '../explore/choice.ts'
import { nameOfChoice, type SingleOutcome, Singles } from '../explore/singles.ts'
import { storyOf } from '../explore/tell.ts'
import type { AppFinding } from '../subject/outcome.ts'
import type { GauntletFinding, ScenarioResult } from './gauntlet-report.ts'

/** The name of the ordinary day, as single choices are run: with acts in a row, and each with what follows. */
const ORDINARY = 'the ordinary day'

/** A result, with what did not come each time and what there was no time to see again. */
export interface SingleResult {
  result: ScenarioResult
  unstable: GauntletFinding[]
  unconfirmed: GauntletFinding[]
}

export interface SinglesToTry {
  /** The result of the ordinary day, where it is worth telling. */
  ordinary: SingleResult | undefined
  choices: readonly Choice[]
  /** Undefined where there was no time for it. */
  run(choice: Choice): Promise<SingleResult | undefined>
  /** Once more: the codes that it shows. Undefined where there was no time for it. */
  again(choice: Choice): Promise<ReadonlySet<string> | undefined>
  close(): Promise<void>
}

type RunnerSettings = Parameters<typeof Singles.open>[0]

/** Undefined where it was interrupted before the ordinary day was over. */
export async function openSingles(settings: RunnerSettings): Promise<SinglesToTry | undefined> {
  try {
    const singles = await Singles.open(settings)
    if (!singles) return undefined
    const ordinary = resultOf(singles.ordinary)
    return {
      ordinary: ordinary.result.verdict === 'clean' ? undefined : ordinary,
      choices: singles.choices,
      run: async (choice) => {
        const outcome = await singles.run(choice)
        return outcome && resultOf(outcome)
      },
      again: (choice) => singles.again(choice),
      close: () => singles.close(),
    }
  } catch (error) {
    if (!(error instanceof AppFailed)) throw error
    const result = { ...emptyResult(undefined, 'unjudged'), why: error.message }
    const none = async () => undefined
    return { ordinary: { result, unstable: [], unconfirmed: [] }, choices: [], run: none, again: none, close: none }
  }
}

/** The result of a choice that there was no time for. */
export function leftSingle(choice: Choice): ScenarioResult {
  return emptyResult(choice, 'left')
}

function emptyResult(choice: Choice | undefined, verdict: ScenarioResult['verdict']): ScenarioResult {
  const scenario = choice ? nameOfChoice(choice) : ORDINARY
  return {
    ...{ scenario, verdict, findings: [], warnings: [], unmet: [], tookMs: 0 },
    ...(choice && { risk: recordOf(choice).risk(choice) }),
  }
}

function resultOf(outcome: SingleOutcome): SingleResult {
  const { choices, alike, tooSoon, unjudged, tookMs } = outcome
  const result = emptyResult(choices[0], verdictOf(outcome))
  const told = (found: readonly AppFinding[]) =>
    found.map((one) => ({
      ...{ ...one, scenario: result.scenario, advice: todoOf(one.code) },
      ...(choices.length > 0 && { choices, story: storyOf(choices) }),
      ...(one.capsule !== undefined && { replay: `mfano replay ${one.capsule}` }),
    }))
  const why = unjudged ?? whyAlike(alike) ?? whyTooSoon(tooSoon)
  return {
    result: {
      ...{ ...result, tookMs },
      ...(why !== undefined && { why }),
      findings: told(outcome.findings),
      warnings: told(outcome.warnings),
    },
    unstable: told(outcome.unstable),
    unconfirmed: told(outcome.unconfirmed),
  }
}

function verdictOf({ findings, unstable, unconfirmed, alike, unjudged }: SingleOutcome): ScenarioResult['verdict'] {
  if (findings.length + unstable.length + unconfirmed.length + alike.length > 0) return 'findings'
  return unjudged === undefined ? 'clean' : 'unjudged'
}

function whyAlike(codes: readonly string[]): string | undefined {
  return codes.length === 0 ? undefined : `${codes.join(', ')}, as another choice of its sort showed`
}

function whyTooSoon(found: readonly AppFinding[]): string | undefined {
  if (found.length === 0) return undefined
  return `${[...new Set(found.map(({ code }) => code))].join(', ')} was seen, and was put right by the app a moment later`
}

function todoOf(code: string): string {
  const records: Readonly<Record<string, { todo: string } | undefined>> = { ...findingRecords, ...appFindings }
  return records[code]?.todo ?? ''
}
