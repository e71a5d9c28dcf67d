/** Findings as files: a schedule to run again, a scenario that anybody can run, and a page to read. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { errorOf } from '../../core/model/must.ts'
import { makeFolder, whyUnreadable } from '../../hosts/node/file-access.ts'
import { reportForms } from '../../inspect/report-forms.ts'
import { Unusable } from '../subject.ts'
import { knownSchedule } from './choice.ts'
import type { ExploreFinding, FoundEarlier } from './explorer.ts'
import { findingDocument } from './finding-story.ts'
import { scenarioOf } from './scenario-of.ts'
import { storyOf } from './tell.ts'

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
export interface WrittenFinding {
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
  finding: ExploreFinding,
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
