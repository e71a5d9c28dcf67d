/** Has an edition of a case judged, and says how soon the judges tell its bug. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { counted } from '../../src/core/model/text.ts'
import { storyOf } from '../../src/judge/explore/tell.ts'
import { runGauntlet } from '../../src/judge/run-gauntlet.ts'
import { searchSchedules } from '../../src/judge/search-schedules.ts'
import { RUNS_PER_CPU, WORLDS_PER_CPU } from '../../src/judge/subject.ts'
import type { Case } from './cases.ts'

const ORDINARY = storyOf([]).join()
const PATIENCE = { tls: false, readyWithinMs: 60_000, restWithinMs: 20_000 }

/** Buggy as it was, or mended. */
export type Edition = 'buggy' | 'mended'

/** When a judge ends. */
export interface Limits {
  withinMs: number
  /** Of a search; as many as there is time for without. */
  schedules?: number
  /** Of a gauntlet; every shipped one that can make a difference without. */
  scenarios?: readonly string[]
}

/** What a judge said. */
export interface Said {
  /** All codes, in the order in which they were told; and those that did not come again. */
  codes: string[]
  unstable: string[]
  /** The first that tells the bug: under which scenario, or with how many choices; and after how many seconds. */
  found?: { code: string; by: string; seconds: number }
  /** Worlds that the app lived in. */
  runs: number
  seconds: number
  /** Why it could not be judged. */
  unjudged?: string
}

export const merchantFile = ({ name }: Case): string => join(import.meta.dirname, 'cases', name, 'merchant.yaml')

const programs = { Node: 'node', Python: 'python3', PHP: 'php' } as const

/** Whether this machine has what a case is written in. */
export function canRun({ stack }: Case): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, programs[stack])))
}

/** Until the bug is told or, where there is none to find, as long as there is time. */
async function judging(
  { shows }: Case,
  edition: Edition,
  { withinMs }: Limits,
  judge: (
    signal: AbortSignal,
    told: (codes: readonly string[], by: string) => void,
  ) => Promise<Omit<Said, 'found' | 'seconds'>>,
): Promise<Said> {
  const beganMs = performance.now()
  const seconds = () => Math.round((performance.now() - beganMs) / 100) / 10
  const enough = new AbortController()
  let found: Said['found']
  const told = (codes: readonly string[], by: string) => {
    const code = codes.find((one) => shows.includes(one))
    if (found || code === undefined) return
    found = { code, by, seconds: seconds() }
    if (edition === 'buggy') enough.abort()
  }
  // The judges start the app with the environment that they have themselves.
  process.env['MENDED'] = edition === 'mended' ? '1' : '0'
  try {
    const said = await judge(AbortSignal.any([enough.signal, AbortSignal.timeout(withinMs)]), told)
    return { ...said, ...(found && { found }), seconds: seconds() }
  } finally {
    delete process.env['MENDED']
  }
}

export function explored(one: Case, edition: Edition, limits: Limits): Promise<Said> {
  return judging(one, edition, limits, async (signal, told) => {
    const { data } = await searchSchedules({
      ...{ file: merchantFile(one), withinMs: limits.withinMs, seed: 1, findingsMax: 6, schedules: limits.schedules },
      ...{ ...PATIENCE, jobs: RUNS_PER_CPU * availableParallelism(), allowUnstable: false, ended: () => {} },
      ...{ out: undefined, replay: undefined, signal },
      found: ({ text }) => {
        const [code = '', story = ''] = text.split(/: (.*)/s)
        told([code], story === ORDINARY ? 'the ordinary day' : counted(story.split('; ').length, 'choice'))
      },
    })
    const { findings, unconfirmed, unstable, schedules, unjudged } = data
    // Seen, and told as not yet shrunk.
    for (const { code, choices } of unconfirmed) told([code], `${choices.length} choices, not yet shrunk`)
    const codes = [...findings, ...unconfirmed].map(({ code }) => code)
    return {
      codes,
      unstable: unstable.map(({ code }) => code),
      runs: schedules.run,
      ...(unjudged !== undefined && { unjudged }),
    }
  })
}

export function ranGauntlet(one: Case, edition: Edition, limits: Limits): Promise<Said> {
  const { scenarios = [], withinMs } = limits
  return judging(one, edition, limits, async (signal, told) => {
    const { data } = await runGauntlet({
      ...{ file: merchantFile(one), scenarios, full: false, signal, withinMs },
      ...{ ...PATIENCE, adviceCounts: false, jobs: WORLDS_PER_CPU * availableParallelism() },
      ended: ({ name, failures = [] }) =>
        told(
          failures.map(({ type }) => type),
          name,
        ),
    })
    const ran = [...data.scenarios, ...data.singles].filter(
      ({ verdict }) => verdict !== 'skipped' && verdict !== 'left',
    )
    // Seen, with no time to see it again.
    for (const { code, scenario } of data.unconfirmed) told([code], scenario)
    const [unjudged] = ran.filter(({ verdict }) => verdict === 'unjudged')
    return {
      codes: [...new Set([...data.findings, ...data.unconfirmed].map(({ code }) => code))],
      unstable: data.unstable.map(({ code }) => code),
      runs: ran.length,
      ...(unjudged && { unjudged: `${unjudged.scenario}: ${unjudged.why}` }),
    }
  })
}
