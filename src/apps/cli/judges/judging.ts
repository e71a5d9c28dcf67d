import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { withPlainTimes } from '../../../core/model/calendar.ts'
import { oneLine } from '../../../core/model/text.ts'
import { everyRealMs, wallNowMs } from '../../../hosts/node/wall.ts'
import {
  atRiskText,
  type Cell,
  cellText,
  type MarkedCell,
  pointLines,
  type ReportDocument,
  type ReportMood,
  type ReportPoint,
  type ReportRun,
  type ReportSection,
} from '../../../inspect/report-document.ts'
import { reportForms } from '../../../inspect/report-lists.ts'
import { type JudgeOptions, merchantFileIn, Unusable } from '../../../judge/subject.ts'
import { type Arguments, CLEAN, CommandFailed, PROBLEMS, type TopCommand, USAGE, UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { type TableColumn, table } from '../table.ts'
import { reportFlags, wholeValue } from '../typed-values.ts'
import { section } from '../words.ts'
import { writeNamed, writing } from '../write-file.ts'
import { keepEvidence } from './evidence-record.ts'

export interface JudgingWatch extends Pick<JudgeOptions, 'signal' | 'ended'> {
  found(point: ReportPoint): void
}

interface JudgingCommand extends Omit<TopCommand, 'run'> {
  /** Worlds at a time for each processor, unless `--jobs` says how many in all. */
  jobsPerCpu: number
  /** The same for a suite, where an app can be judged, too. */
  suitesPerCpu?: number
  judge(given: Arguments, watch: JudgingWatch & JudgeOptions): Promise<ReportDocument>
  doing(given: Arguments): string
}

/** In seconds, where a command has no flags for it. */
const [READY_WITHIN, REST_WITHIN] = [60, 20]

export function judgingCommand(about: JudgingCommand): TopCommand {
  const { jobsPerCpu, suitesPerCpu = jobsPerCpu, judge, doing, flags, ...command } = about
  const forSuite = suitesPerCpu === jobsPerCpu ? '' : `, ${suitesPerCpu} for a suite`
  const jobs = `Worlds at a time. Default: ${jobsPerCpu} per processor${forSuite}.`
  return {
    names: ['files'],
    ...command,
    flags: [
      ...flags,
      { name: 'jobs', value: 'n', help: jobs, ...wholeValue(1) },
      { name: 'tls', help: 'Use HTTPS. Sets PAYMENTS_CA, CALLBACK_CERT and CALLBACK_KEY.' },
      ...reportFlags,
    ],
    run: (given, output) => {
      const perCpu = merchantFileIn(given.words) ? jobsPerCpu : suitesPerCpu
      const options = {
        jobs: given.number('jobs') ?? perCpu * availableParallelism(),
        tls: given.has('tls'),
        readyWithinMs: (given.number('ready-within') ?? READY_WITHIN) * SECOND_MS,
        restWithinMs: (given.number('rest-within') ?? REST_WITHIN) * SECOND_MS,
      }
      return judging(given, output, (watch) => judge(given, { ...watch, ...options }), doing(given))
    },
  }
}

/** `doing`: what the command does and how long it may take, shown on a terminal while it works. */
export async function judging(
  given: Arguments,
  output: Output,
  judge: (watch: JudgingWatch) => Promise<ReportDocument>,
  doing = 'working',
): Promise<number> {
  const progress = output.progress(doing)
  const [begunMs, stop] = [wallNowMs(), output.watched ? everyRealMs(SECOND_MS, () => drawProgress()) : () => {}]
  let last = ''
  const drawProgress = () => progress.at(`${Math.round((wallNowMs() - begunMs) / SECOND_MS)} s${last}`)
  const tell = (text: string) => {
    progress.end()
    if (!given.has('json')) output.out(text)
  }
  const report = await untilInterrupted((signal) =>
    judge({
      signal,
      ended: (run) => {
        last = `, last ended: ${run.name}`
        tell(runText(run, output))
      },
      found: (point) => tell(pointText(point, output)),
    }),
  ).finally(() => {
    stop()
    progress.end()
  })
  keepEvidence(given, report)
  await writeReports(report, given)
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary) {
    const text = await reportForms.markdown[1](report)
    writing(summary, () => appendFileSync(summary, text))
  }
  output.out(given.has('json') ? await reportForms.json[1](report) : `\n${documentText(report, output)}`)
  return exitCodes[report.verdict.mood]
}

export async function writeReports(report: ReportDocument, given: Arguments): Promise<void> {
  for (const form of ['junit', 'html', 'markdown'] as const) {
    const file = given.get(form)
    if (file !== undefined) writeNamed(file, await reportForms[form][1](report))
  }
}

const SECOND_MS = 1000
const exitCodes = { good: CLEAN, none: CLEAN, bad: PROBLEMS, open: USAGE } as const

async function untilInterrupted<Done>(work: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
  const interruption = new AbortController()
  const interrupted = () => interruption.abort(new CommandFailed('It was interrupted.', '', { exitCode: USAGE }))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work(interruption.signal)
  } catch (error) {
    return asFailure(error)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}

export function asFailure(error: unknown): never {
  if (!(error instanceof Unusable)) throw error
  const { message, code, hint, option } = error
  throw option === undefined
    ? new CommandFailed(message, hint, { code, exitCode: USAGE })
    : new UsageError(`--${option}: ${message}`)
}

const styles = { good: 'green', bad: 'red', open: 'yellow', none: 'dim' } as const satisfies Record<ReportMood, string>
const KEPT_COLUMNS = 4
const LEAST_WIDTH = 12

export function documentText(report: ReportDocument, output: Output): string {
  const { title, verdict, lead, sections, atRisk, scorecard } = report
  const { paint } = output
  const head = `${oneLine(title)}: ${paint(styles[verdict.mood], oneLine(`${verdict.word ? `${verdict.word}: ` : ''}${verdict.text}`))}`
  const risk = atRisk ? [`Money at risk: ${atRiskText(atRisk)}`] : []
  const shown = [...(scorecard ? [scorecard] : []), ...sections.filter(({ isLog }) => !isLog)]
  return withPlainTimes(
    [
      ...[head, ...risk, ...lead.map(oneLine)].map((line) => `${line}\n`),
      ...shown.map((one) => section(one.title, sectionText(one, output), paint)),
    ].join(''),
  )
}

export function runText({ mood, word, name, tookMs, why = '' }: ReportRun, { paint }: Pick<Output, 'paint'>): string {
  const seconds = tookMs === undefined ? '' : paint('dim', `${(tookMs / 1000).toFixed(1)} s`)
  const [reason = ''] = why.split('\n', 1)
  const first = oneLine(reason)
  const parts = [paint(styles[mood], word.padEnd(8)), oneLine(name), seconds, first]
  return withPlainTimes(`${parts.filter((part) => part !== '').join('  ')}\n`)
}

function pointText(point: ReportPoint, { paint }: Pick<Output, 'paint'>): string {
  const [head = '', ...rest] = pointLines(point, oneLine, (line) => paint('dim', oneLine(line)))
  return withPlainTimes([point.more ? paint('bold', head) : head, ...rest].map((line) => `${line}\n`).join(''))
}

function sectionText({ columns = [], rows = [], points = [], none, note }: ReportSection, output: Output): string {
  const said = note === undefined ? '' : `${oneLine(note)}\n`
  if (rows.length + points.length === 0) return none === undefined ? '' : `${said}${oneLine(cellText(none))}\n`
  if (rows.length > 0) return said + rowsText(columns, rows, output)
  const apart = points.some(({ more }) => more) ? '\n' : ''
  return said + points.map((one) => pointText(one, output)).join(apart)
}

function rowsText(columns: readonly string[], rows: NonNullable<ReportSection['rows']>, output: Output): string {
  const shown = [...columns.keys()].filter((i) => rows.some((row) => (row[i] ?? '') !== ''))
  const told = shown.map((i): TableColumn<(typeof rows)[number]> => {
    const isNumber = rows.every((row) => typeof row[i] === 'number')
    return {
      title: (columns[i] ?? '').toUpperCase(),
      of: (row) => plainCell(row[i] ?? null),
      ...(isNumber ? { right: true } : { least: LEAST_WIDTH }),
      ...(i >= KEPT_COLUMNS && { spare: i }),
    }
  })
  return table(rows, told, output)
}

function plainCell(cell: Cell | MarkedCell): Cell {
  return typeof cell === 'object' && cell !== null ? cellText(cell) : cell
}
