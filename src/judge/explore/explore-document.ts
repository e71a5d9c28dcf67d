import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { errorOf, must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import { makeFolder, whyUnreadable } from '../../hosts/node/file-access.ts'
import type { ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import { findingParts, judgedDocument, pointOf, processorTime, sectionsAfter } from '../subject/report.ts'
import { Unusable } from '../subject.ts'
import { knownSchedule } from './choice.ts'
import type { Found, FoundLists } from './engine.ts'
import type { Explored, FoundEarlier, Replayed } from './explorer.ts'
import { scenarioOf } from './scenario-of.ts'
import { storyOf, type ToldUnder, toldFindings } from './tell.ts'

export type ExploreReport = ReturnType<typeof exploreDocument>['data']

/** An earlier finding that could not be judged again leaves the verdict to the search itself. */
const marks = {
  back: { mood: 'bad', word: 'is back' },
  gone: { mood: 'good', word: 'is gone' },
  unjudged: { mood: 'none', word: 'not judged' },
} as const

export function replayedRun({ name, code, verdict }: Replayed): ReportRun {
  return { ...marks[verdict], name: `${name}: ${code}` }
}

/** `out`: where its capsule gets its name at the end, so that no command can name it before. */
export function findingPoint(finding: Found, out?: string): ReportPoint {
  const { replay, ...unnamed } = describeFound(finding)
  return pointOf(out === undefined ? { ...unnamed, replay } : unnamed)
}

function describeFound(found: Found, again?: string): ToldUnder {
  return must(toldFindings(found, found.alike.slice(0, 1), again)[0])
}

/** `command` finds them again. */
export function toldLists({ findings, unstable, tooSoon, unconfirmed }: FoundLists, command?: string) {
  const described = (all: readonly Found[]) =>
    all.map((one) => {
      const [written] = one.alike.flatMap(({ schedule }) => schedule ?? [])
      const how = written === undefined ? '--out found' : `--replay ${dirname(written)} --only-replay`
      return describeFound(one, command && `${command} ${how}`)
    })
  return {
    findings: described(findings),
    unstable: described(unstable),
    tooSoon: described(tooSoon),
    unconfirmed: described(unconfirmed),
  }
}

/** `allowUnstable`: what does not come each time is no failure. */
export function exploreDocument(
  explored: Explored,
  { allowUnstable, command }: { allowUnstable: boolean; command: string },
) {
  const { merchant, replayed, unjudged, resetUnused, interrupted, tookMs } = explored
  const { run, distinct, behaviours } = explored.schedules
  const lists = toldLists(explored, command)
  const parts = findingParts({ ...lists, allowUnstable, isLog: true })
  const searched = `${counted(run, 'run')} of ${counted(distinct, 'distinct schedule')}, ${counted(behaviours, 'behaviour')}`
  return judgedDocument({
    ...{ by: 'mfano explore', title: merchant, data: { ...explored, ...lists }, interrupted },
    ...parts,
    good: `${parts.good}.`,
    lead: [
      `${searched}, in ${(tookMs / 1000).toFixed(1)} s: ${((run * 1000) / Math.max(1, tookMs)).toFixed(1)} a second.`,
      processorTime(),
      ...(resetUnused === undefined ? [] : [`Its reset is not used: ${resetUnused}.`]),
    ],
    sections: [...parts.sections, ...sectionsAfter(lists)],
    runs: [
      { mood: unjudged === undefined ? 'good' : 'open', word: 'searched', name: merchant, why: unjudged ?? searched },
      ...replayed.map(replayedRun),
      ...parts.runs,
    ],
  })
}

const ENDING = '.schedule.json'
/** Files of findings are told apart by their names, which some file systems keep short. */
const NAME_MAX = 80

const NO_SCHEDULE = { code: 'SCHEDULE_FILE', option: 'replay' } as const

/** Writes what was found into a folder, the findings first. */
export function writeFindings(folder: string, { findings, unconfirmed }: FoundLists): void {
  const all = [...findings, ...unconfirmed]
  for (const [i, one] of all.entries()) writeFinding(folder, i + 1, one)
  // Findings of one run have the same.
  for (const { capsule } of all) if (capsule !== undefined) rmSync(capsule, { force: true })
}

export function writeFinding(folder: string, number: number, finding: Found): void {
  makeFolder(folder)
  const { code, text, choices, ran, capsule, alike } = finding
  const chosen = choices.flatMap((one) => Object.values(one)).join('-') || 'ordinary-day'
  const words = `${String(number).padStart(2, '0')}-${code}-${chosen}`
  const name = words
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replace(/-$/, '')
  const at = (ending: string) => join(folder, `${name}${ending}`)
  const kinds = choices.length === 0 ? [] : [...new Set(ran.payments.map(({ kind }) => kind))]
  const said = storyOf(choices)
  writeFileSync(at(ENDING), `${JSON.stringify({ code, text, story: said, choices }, null, 2)}\n`)
  const head = [`${code}: ${text}`, ...said].map((one) => `# ${one.replaceAll('\n', '\n# ')}\n`).join('')
  writeFileSync(at('.yaml'), `${head}${stringify(scenarioOf(choices, kinds, name))}`)
  if (capsule !== undefined) copyFileSync(capsule, at('.capsule'))
  const files = { schedule: at(ENDING), scenarioFile: at('.yaml'), ...(capsule && { capsule: at('.capsule') }) }
  for (const one of alike) Object.assign(one, files)
}

/** The schedules of a folder, in the order of their names. A folder that nothing was written to yet has none. */
export function readSchedules(folder: string): FoundEarlier[] {
  if (!existsSync(folder)) return []
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  } catch (error) {
    throw new Unusable(`${folder} cannot be read: ${whyUnreadable(error)}`, NO_SCHEDULE)
  }
  return names.sort().map((name) => {
    try {
      return { name, ...knownSchedule.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) }
    } catch (error) {
      throw new Unusable(`${join(folder, name)} is no schedule: ${errorOf(error).message}`, NO_SCHEDULE)
    }
  })
}
