/** `mfano evidence`: bundles what judges showed of one commit, and says whether it still counts. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { errorOf } from '../../../core/model/must.ts'
import type { ReportDocument } from '../../../core/model/report-document.ts'
import { reportForms } from '../../../inspect/report-forms.ts'
import { type Arguments, type CliCommand, CommandFailed, USAGE } from '../command.ts'
import { judging } from '../judging.ts'
import { reportFlags } from '../typed-values.ts'
import { writeNamed } from '../write-file.ts'
import { BUNDLE_FILES, type Judge, judges, present, recordSchema } from './evidence-record.ts'
import { type EvidenceBundle, evidenceReport, type Read, readEvidence } from './evidence-report.ts'
import { writeRecord } from './keep-evidence.ts'

const FOLDER = 'evidence'
const [WHOLE, PAGE] = BUNDLE_FILES

export const evidenceCommand: CliCommand = {
  name: 'evidence',
  words: '[FILE|FOLDER…]',
  names: ['files'],
  summary: 'Bundle test evidence of one commit for going live.',
  about:
    'It reads the files that judges wrote with --evidence and that calibrate wrote with --out. The bundle is a folder with one HTML page: what was tested, what was not, and when it expires.',
  exits: { 0: 'all is good', 1: 'a judge found something', 2: 'evidence is missing, expired or of another commit' },
  flags: [
    { name: 'out', value: 'folder', help: 'The folder to write.', byDefault: FOLDER, names: 'files' },
    {
      name: 'need',
      value: 'judge',
      help: 'Exit with 2 unless this judge ran. Repeatable.',
      choices: judges,
      many: true,
    },
    {
      name: 'check',
      value: 'folder',
      help: 'Check whether this bundle is valid for the current commit.',
      names: 'files',
    },
    ...reportFlags,
  ],
  examples: [
    'mfano gauntlet merchant.yaml --evidence evidence',
    'mfano evidence evidence measured.json --need gauntlet --need matrix',
    'mfano evidence --check evidence',
  ],
  run: (given, output) => {
    const checked = given.get('check')
    return judging(given, output, async () => (checked === undefined ? bundled(given) : stillCounts(checked, given)))
  },
}

async function bundled(given: Arguments): Promise<ReportDocument<EvidenceBundle>> {
  const out = given.get('out') ?? FOLDER
  const from = given.words.length > 0 ? given.words : [out]
  const report = evidenceReport(readEvidence(from), present('.', [...from, out]), neededBy(given))
  for (const { expiresAt: _, ...record } of report.data.records) writeRecord(out, record)
  writeNamed(join(out, PAGE), await reportForms.html[1](report))
  writeNamed(join(out, WHOLE), await reportForms.json[1](report))
  return report
}

function neededBy(given: Arguments): Judge[] {
  return judges.filter((judge) => given.all('need').includes(judge))
}

const bundleSchema = z.object({
  verdict: z.object({ mood: z.enum(['good', 'bad', 'open', 'none']), text: z.string() }),
  records: z.array(recordSchema.extend({ expiresAt: z.string() })),
})

/** By what stands in the bundle: the records beside it may be newer. */
function stillCounts(folder: string, given: Arguments): ReportDocument<EvidenceBundle> {
  const file = join(folder, WHOLE)
  const { verdict, records } = readBundle(file)
  const wanted = present('.', [folder])
  if (wanted.commit === null)
    throw unknown('No commit is known here.', 'Run it in a git repository, or set GITHUB_SHA.')
  const read = records.map(({ expiresAt: _, ...record }): Read => ({ file: record.by, record }))
  const report = evidenceReport(read, wanted, neededBy(given))
  const holds = report.verdict.mood === 'good'
  const text = holds ? `It still counts: ${report.verdict.text}` : `It does not count: ${report.verdict.text}`
  const isRed = verdict.mood !== 'good' || !holds
  return { ...report, verdict: { mood: isRed ? 'bad' : 'good', text: holds && isRed ? verdict.text : text } }
}

function readBundle(file: string): z.output<typeof bundleSchema> {
  if (!existsSync(file)) throw unknown(`There is no ${file}.`, 'Write it: mfano evidence')
  try {
    return bundleSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw unknown(`${file} cannot be read as evidence.`, `${errorOf(error).message.split('\n', 1)}`)
  }
}

function unknown(message: string, hint: string): CommandFailed {
  return new CommandFailed(message, hint, { exitCode: USAGE })
}
