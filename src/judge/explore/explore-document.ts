/** The report of a search: findings with the choices that lead to them, and the fate of earlier ones. */

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { errorOf, must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import { makeFolder, whyUnreadable } from '../../hosts/node/file-access.ts'
import { mermaidOf, type ReportDocument, type ReportPoint, type ReportRun } from '../../inspect/report-document.ts'
import { reportForms } from '../../inspect/report-lists.ts'
import { failuresOf, findingParts, judgedDocument, pointOf, type ToldFinding, texts } from '../subject/report.ts'
import { Unusable } from '../subject.ts'
import { knownSchedule } from './choice.ts'
import type { Found } from './engine.ts'
import type { Explored, FoundEarlier, Replayed } from './explorer.ts'
import { scenarioOf } from './scenario-of.ts'
import { sequenceOf, storyOf, toldFindings } from './tell.ts'

/** The JSON of a search. */
export type ExploreReport = ReturnType<typeof reportOf>
type Files = readonly (WrittenFinding | undefined)[]

/** An earlier finding that could not be judged again leaves the verdict to the search itself. */
const marks = { back: ['bad', 'is back'], gone: ['good', 'is gone'], unjudged: ['none', 'not judged'] } as const

/** An earlier finding that was tried again. */
export function replayedRun({ name, code, verdict }: Replayed): ReportRun {
  const [mood, word] = marks[verdict]
  return { mood, word, name: `${name}: ${code}` }
}

export function findingPoint(finding: Found): ReportPoint {
  return pointOf(asTold(finding))
}

/** `replay`: the command that shows it again. */
function asTold(finding: Found, replay?: string): ToldFinding {
  const [told] = toldFindings(finding, finding.alike.slice(0, 1))
  return { ...must(told), ...(replay !== undefined && { replay }) }
}

/** `files`: of the findings, and then of those that were not confirmed. `allowUnstable`: what does not come each time is no failure. */
export function exploreDocument(
  explored: Explored,
  files: Files,
  { allowUnstable = false, command = 'mfano explore' }: { allowUnstable?: boolean; command?: string } = {},
): ReportDocument<ExploreReport> {
  const { merchant, findings, unstable, tooSoon, unconfirmed, replayed, unjudged, resetUnused, interrupted } = explored
  const { run, distinct, behaviours } = explored.schedules
  const again = (i: number) => {
    const { capsule, schedule } = files[i] ?? {}
    if (capsule !== undefined) return `mfano replay ${capsule}`
    return schedule === undefined ? `${command} --out found` : `${command} --replay ${dirname(schedule)} --only-replay`
  }
  const told = [...findings, ...unconfirmed].map((one, i) => asTold(one, again(i)))
  const lists = {
    findings: told.slice(0, findings.length),
    unconfirmed: told.slice(findings.length),
    unstable: unstable.map((one) => asTold(one, command)),
  }
  const parts = findingParts({ ...lists, allowUnstable, isLog: true })
  const written = [...findings, ...unconfirmed].flatMap(({ capsule }, i) => {
    const { page, schedule, scenario, capsule: moved = capsule } = files[i] ?? {}
    return [page, schedule, scenario, moved].filter((file) => file !== undefined)
  })
  const searched = `${counted(run, 'run')} of ${counted(distinct, 'distinct schedule')}, ${counted(behaviours, 'behaviour')}`
  return judgedDocument({
    ...{ by: 'mfano explore', title: merchant, data: reportOf(explored, files), interrupted },
    ...parts,
    good: `${parts.good}.`,
    lead: [
      `${searched}, in ${secondsOf(explored.tookMs)}: ${((run * 1000) / Math.max(1, explored.tookMs)).toFixed(1)} a second.`,
      timeOf(explored),
      ...(resetUnused === undefined ? [] : [`Its reset is not used: ${resetUnused}.`]),
    ],
    sections: [
      ...parts.sections,
      {
        title: 'Corrected by the app a moment later (no finding)',
        points: tooSoon.map(findingPoint),
      },
      texts('Written', written),
    ],
    runs: [
      { mood: unjudged === undefined ? 'good' : 'open', word: 'searched', name: merchant, why: unjudged ?? searched },
      ...replayed.map(replayedRun),
      ...[...told, ...(allowUnstable ? [] : lists.unstable)].map(findingRun),
    ],
  })
}

function timeOf({ spent: { appMs, mfanoMs, waitingMs } }: Explored): string {
  const ofApp = appMs === undefined ? '' : `${secondsOf(appMs)} for the app, `
  return `Processor time: ${ofApp}${secondsOf(mfanoMs)} for mfano. Waited ${secondsOf(waitingMs)} for the app to rest.`
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function findingRun(finding: ToldFinding): ReportRun {
  const { code, scenario, text: why } = finding
  return { mood: 'bad', word: 'found', name: `${code} under ${scenario}`, why, failures: failuresOf([finding]) }
}

function reportOf(explored: Explored, files: Files) {
  const { findings, unstable, unconfirmed, tooSoon, ...rest } = explored
  return {
    findings: findings.map((one, i) => shownFinding(one, files[i])),
    unstable: unstable.map((one) => shownFinding(one, undefined)),
    tooSoon: tooSoon.map((one) => shownFinding(one, undefined)),
    unconfirmed: unconfirmed.map((one, i) => shownFinding(one, files[findings.length + i])),
    ...rest,
  }
}

function shownFinding({ ran, choices, alike }: Found, written: WrittenFinding | undefined) {
  const told = { choices, story: storyOf(choices), sequence: mermaidOf(sequenceOf(ran.happened)) }
  return { ...must(alike[0]), ...written, ...told }
}

// Findings as files: a schedule to run again, a scenario that anybody can run, and a page to read.

const ENDING = '.schedule.json'
/** Files of findings are told apart by their names, which some file systems keep short. */
const NAME_MAX = 80

/** A file that is no schedule, or cannot be read; the message names it. */
class ScheduleFileError extends Unusable {
  constructor(message: string) {
    super(message, { code: 'SCHEDULE_FILE', option: 'replay' })
  }
}

/** Where the files of a finding are. */
interface WrittenFinding {
  schedule: string
  scenario: string
  page: string
  capsule?: string
}

/** Writes a finding, and puts its capsule beside. Its name has its number, its code and what was chosen. */
export async function writeFinding(
  folder: string,
  merchant: string,
  number: number,
  finding: Found,
): Promise<WrittenFinding> {
  makeFolder(folder)
  const { code, text, choices, ran, capsule } = finding
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
  const written: WrittenFinding = { schedule: at(ENDING), scenario: at('.yaml'), page: at('.html') }
  if (capsule !== undefined) {
    written.capsule = at('.capsule')
    renameSync(capsule, written.capsule)
  }
  const command =
    capsule === undefined ? `mfano start --scenario ${written.scenario}` : `mfano replay ${written.capsule}`
  writeFileSync(written.page, await reportForms.html[1](findingDocument(finding, merchant, command)))
  return written
}

/** The schedules of a folder, in the order of their names. A folder that nothing was written to yet has none. */
export function readSchedules(folder: string): FoundEarlier[] {
  if (!existsSync(folder)) return []
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  } catch (error) {
    throw new ScheduleFileError(`${folder} cannot be read: ${whyUnreadable(error)}`)
  }
  return names.sort().map((name) => {
    try {
      return { name, ...knownSchedule.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) }
    } catch (error) {
      throw new ScheduleFileError(`${join(folder, name)} is no schedule: ${errorOf(error).message}`)
    }
  })
}

/** A page about one finding. */
function findingDocument(finding: Found, merchant: string, command: string): ReportDocument<null> {
  const told = { ...asTold(finding, command), sequence: sequenceOf(finding.ran.happened) }
  return judgedDocument({
    ...{ by: 'mfano explore', title: `${finding.code} in ${merchant}`, data: null, lead: [], runs: [] },
    ...findingParts({ findings: [told], unstable: [], unconfirmed: [], allowUnstable: false }),
    bad: finding.text,
  })
}
