/** Shared by the judging commands: they stop at Ctrl-C and report in every format. */
import { appendFileSync } from 'node:fs'
import type { ReportDocument, ReportPoint } from '../../core/model/report-document.ts'
import { everyRealMs, wallNowMs } from '../../hosts/node/wall.ts'
import { reportForms } from '../../inspect/report-forms.ts'
import { type SubjectOptions, Unusable } from '../../judge/subject.ts'
import { type Arguments, CLEAN, CommandFailed, PROBLEMS, USAGE, UsageError } from './command.ts'
import { keepEvidence } from './evidence/keep-evidence.ts'
import type { Output } from './output.ts'
import { documentText, pointText, runText } from './report-text.ts'
import { writeNamed, writing } from './write-file.ts'

export type JudgingWatch = Pick<SubjectOptions, 'signal' | 'ended'> & { found(point: ReportPoint): void }

/** `doing`: what the command does and how long it may take, shown on a terminal while it works. */
export async function judging(
  given: Arguments,
  output: Output,
  judge: (watch: JudgingWatch) => Promise<ReportDocument>,
  doing = 'working',
): Promise<number> {
  const progress = output.progress(doing, true)
  const [begunMs, stop] = [wallNowMs(), output.watched ? everyRealMs(SECOND_MS, () => show()) : () => {}]
  let last = ''
  const show = () => progress.at(undefined, `${Math.round((wallNowMs() - begunMs) / SECOND_MS)} s${last}`)
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

/** Writes the report in each form whose flag names a file. */
export async function writeReports(report: ReportDocument, given: Arguments): Promise<void> {
  for (const form of ['junit', 'html', 'markdown'] as const) {
    const file = given.get(form)
    if (file !== undefined) writeNamed(file, await reportForms[form][1](report))
  }
}

const SECOND_MS = 1000
const exitCodes = { good: CLEAN, none: CLEAN, bad: PROBLEMS, open: USAGE } as const

/** Aborts the signal at Ctrl-C. Unusable input is reported like a wrong flag. */
export async function untilInterrupted<Done>(work: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
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
