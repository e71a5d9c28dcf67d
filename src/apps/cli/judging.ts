/** What the commands of judges have in common: flags, an end by Ctrl-C, and reports in every form. */
import { appendFileSync } from 'node:fs'
import type { ReportDocument, ReportPoint } from '../../core/model/report-document.ts'
import { reportForms } from '../../inspect/report-forms.ts'
import { SUITES_PER_CPU, type SubjectOptions, Unusable, WORLDS_PER_CPU } from '../../judge/subject.ts'
import { type Arguments, CLEAN, CommandFailed, type Flag, jsonFlag, PROBLEMS, USAGE, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { documentText, pointText, runText } from './report-text.ts'
import { writeNamed, writing } from './write-file.ts'

const usual = { ready: '60', rest: '120', suite: '600' }

/** What a world begins with. */
export const scenarioFlag: Flag = {
  name: 'scenario',
  value: 'name|file',
  help: 'What its worlds begin with.',
  names: 'scenarios',
  byDefault: 'default',
}
/** Reports as files. */
export const reportFlags: readonly Flag[] = [
  { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
  { name: 'html', value: 'file', help: 'Write a report as one HTML file.', names: 'files' },
  { name: 'markdown', value: 'file', help: 'Write a report in Markdown, such as for a comment.', names: 'files' },
  jsonFlag,
]
/** How long an app is waited for, and how a suite is told of its world. */
export const appFlags: readonly Flag[] = [
  {
    name: 'ready-within',
    value: 'seconds',
    help: 'How long an app may take until it is ready.',
    byDefault: usual.ready,
  },
  { name: 'rest-within', value: 'seconds', help: 'How long an app may work until it rests.', byDefault: usual.rest },
  {
    name: 'env',
    value: 'name=value',
    help: 'For a suite: a variable, such as MY_URL={baseUrl}, {apiKey}, {apiSecret} or {companyId}; may be repeated. It finds PAYMENTS_URL, PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY too.',
    many: true,
  },
]
/** How suites run: each in a world of its own, several at a time. */
export const suiteFlags: readonly Flag[] = [
  {
    name: 'jobs',
    value: 'n',
    help: `Worlds at a time; 1 where a suite listens on a port of its own. Default: ${SUITES_PER_CPU} for each processor, or ${WORLDS_PER_CPU} for an app.`,
    expected: 'a whole number from 1',
  },
  { name: 'within', value: 'seconds', help: 'How long one run of a suite may take.', byDefault: usual.suite },
]

/** How a person follows a judge at work. */
type Watch = Pick<SubjectOptions, 'signal' | 'ended'> & { found(point: ReportPoint): void }

/** Judges until that is done or Ctrl-C ends it, prints and writes the report, and gives the exit code. */
export async function judging(
  given: Arguments,
  output: Output,
  judge: (watch: Watch) => Promise<ReportDocument>,
): Promise<number> {
  const tell = (text: string) => {
    if (!given.has('json')) output.out(text)
  }
  const report = await untilInterrupted((signal) =>
    judge({
      signal,
      ended: (run) => tell(runText(run, output)),
      found: (point) => tell(pointText(point, output)),
    }),
  )
  for (const form of ['junit', 'html', 'markdown'] as const) {
    const file = given.get(form)
    if (file !== undefined) writeNamed(file, await reportForms[form][1](report))
  }
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary) {
    const text = await reportForms.markdown[1](report)
    writing(summary, () => appendFileSync(summary, text))
  }
  output.out(given.has('json') ? await reportForms.json[1](report) : `\n${documentText(report, output)}`)
  return exitCodes[report.verdict.mood]
}

const exitCodes = { good: CLEAN, none: CLEAN, bad: PROBLEMS, open: USAGE } as const

/** Work that Ctrl-C aborts; what it was given and cannot use is told as mistakes of a command are. */
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

/** Throws it, as commands fail. */
export function asFailure(error: unknown): never {
  if (!(error instanceof Unusable)) throw error
  const { message, code, hint, option } = error
  throw option === undefined
    ? new CommandFailed(message, hint, { code, exitCode: USAGE })
    : new UsageError(`--${option}: ${message}`)
}

/** Whom to judge, as it was typed. */
export function subjectGiven(given: Arguments, { signal, ended }: Watch): SubjectOptions {
  return {
    words: given.words,
    env: Object.fromEntries(given.all('env').map(variable)),
    readyWithinMs: wholeOf(given, 'ready-within') * 1000,
    restWithinMs: wholeOf(given, 'rest-within') * 1000,
    jobs: given.has('jobs') ? wholeOf(given, 'jobs') : undefined,
    signal,
    ended,
  }
}

function variable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new UsageError(`--env: expected a name, = and a value, such as MY_URL={baseUrl}, got ${JSON.stringify(text)}.`)
}

/** A whole number from 1, of so many digits at the most: what is multiplied by 1000 for a timer is not over its limit. */
export function wholeOf(given: Arguments, flag: string, digits = 5): number {
  const text = given.get(flag) ?? ''
  if (!/^[1-9]\d*$/.test(text) || text.length > digits)
    throw new UsageError(`--${flag}: expected a whole number from 1, got ${JSON.stringify(text)}.`)
  return Number(text)
}
