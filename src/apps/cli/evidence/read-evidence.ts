/** Reads evidence from files and folders: records of judges, and what `mfano calibrate --out` wrote. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { UsageError } from '../command.ts'
import { digestOf } from './circumstances.ts'
import { BUNDLE_FILES, type EvidenceRecord, recordSchema } from './evidence-record.ts'

const [WHOLE] = BUNDLE_FILES

export interface Read {
  file: string
  record?: EvidenceRecord
  why?: string
}

export function readEvidence(paths: readonly string[]): Read[] {
  return paths.flatMap(filesAt).map(readOne)
}

function filesAt(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path)
      .filter((name) => name.endsWith('.json') && name !== WHOLE)
      .sort()
      .map((name) => join(path, name))
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${whyUnreadable(error)}.`)
  }
}

function readOne(file: string): Read {
  const text = readFileSync(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { file, why: 'it is no JSON' }
  }
  const record = recordSchema.safeParse(value)
  if (record.success) return { file, record: record.data }
  const calibration = calibrationSchema.safeParse(value)
  if (calibration.success) return { file, record: ofCalibration(calibration.data, text) }
  return { file, why: 'it names no commit and no date. Run the judge again with --evidence FOLDER' }
}

/** Only this is read of a calibration: its evidence holds ids and answers of the real service. */
const calibrationSchema = z.object({
  startedAt: z.iso.datetime(),
  requests: z.number(),
  answers: z.array(
    z.object({
      assumption: z.string(),
      verdict: z.enum(['holds', 'none-of-ours', 'untold', 'unstable', 'not-asked']),
      alternative: z.string().nullable(),
    }),
  ),
  stopped: z.object({ code: z.string() }).nullable(),
})

const verdicts = {
  holds: ['good', 'holds'],
  'none-of-ours': ['bad', 'none of ours'],
  untold: ['open', 'could not be told'],
  unstable: ['open', 'unstable'],
  'not-asked': ['none', 'not asked'],
} as const

function ofCalibration(
  { startedAt, answers, stopped }: z.output<typeof calibrationSchema>,
  text: string,
): EvidenceRecord {
  const holding = answers.filter(({ verdict }) => verdict === 'holds').length
  const isRed =
    stopped?.code === 'moved' || stopped?.code === 'accepted' || answers.some((one) => one.verdict === 'none-of-ours')
  return {
    evidence: 1,
    by: 'calibrate',
    version: '',
    commit: null,
    changed: false,
    at: startedAt,
    configuration: digestOf(text),
    options: [],
    subject: 'the service, at its sandbox',
    verdict: {
      mood: isRed ? 'bad' : holding === 0 ? 'open' : 'good',
      text: `${holding} of ${answers.length} questions told.${stopped ? ` It stopped early: ${stopped.code}.` : ''}`,
    },
    lead: [],
    runs: answers.map(({ assumption, verdict, alternative }) => {
      const [mood, word] = verdicts[verdict]
      return { mood, word, name: alternative === null ? assumption : `${assumption}: ${alternative}` }
    }),
  }
}
