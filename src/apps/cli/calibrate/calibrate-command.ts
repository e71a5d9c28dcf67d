/** `mfano calibrate`: asks the real service which alternative of each assumption is true. */
import { createInterface } from 'node:readline/promises'
import { keysIn, must } from '../../../core/model/must.ts'
import { didYouMean } from '../../../core/model/problems.ts'
import { oneLine } from '../../../core/model/text.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { realPause, wallNowMs } from '../../../hosts/node/wall.ts'
import {
  type Calibrated,
  CalibrationFiles,
  type CalibrationPlan,
  type CalibrationReport,
  type CalibrationVerdict,
  calibrationPlanOf,
  comparedWith,
  measuredScenario,
  runCalibration,
  Secrets,
  startReceiver,
  trafficReport,
} from '../../../judge/calibrate.ts'
import { tiers } from '../../../service/probes.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CLEAN, type CliCommand, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import { asFailure } from '../judging.ts'
import type { Output, Paint } from '../output.ts'
import { count, section } from '../words.ts'
import { writeNamed } from '../write-file.ts'
import { type Asking, accountOf, askingFlags, readAsking, tiersOf } from './calibrate-settings.ts'

export const calibrateCommand: CliCommand = {
  name: 'calibrate',
  summary: 'Test assumptions against the real service.',
  about:
    'It sends requests to your sandbox account and writes a scenario with the answers. Set PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY first. It takes about 3 minutes, longer with --allow.',
  exits: {
    0: 'finished, or nothing changed (--check)',
    1: 'a request was accepted unexpectedly, or something changed (--check)',
    2: 'the service could not be asked',
  },
  flags: [
    ...askingFlags,
    {
      name: 'out',
      value: 'file',
      help: 'The scenario to write. A stopped run continues from it.',
      names: 'files',
    },
    { name: 'again', help: 'Repeat questions that --out has answers for.' },
    {
      name: 'check',
      value: 'file',
      help: 'Ask only what this scenario chooses, and list changes.',
      names: 'files',
    },
    { name: 'from', value: 'traffic.har', help: 'Read recorded traffic and send nothing.', names: 'files' },
    jsonFlag,
  ],
  examples: [
    'mfano calibrate --base-url https://api.provider.example --plan',
    'mfano calibrate --base-url https://api.provider.example --out measured.yaml',
    'mfano calibrate --base-url https://api.provider.example --check measured.yaml',
    'mfano calibrate --from traffic.har',
  ],
  run: async (given, output) => {
    const ids = questionsOf(given)
    if (given.has('plan'))
      return printed(calibrationPlanOf(ids, accountOf(given, process.env), tiersOf(given)), given, output)
    const from = given.get('from')
    if (from !== undefined) return readTraffic(from, ids, given, output)
    const checked = given.get('check')
    const measured = checked === undefined ? undefined : measuredIn(checked, ids)
    const report = await ask(readAsking(given, process.env), measured ? Object.keys(measured) : ids, given, output)
    if (!measured) {
      output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : calibrationText(report, output))
      return exitCode(report)
    }
    return compared(measured, report, given, output)
  },
}

type Ids = readonly string[]

function questionsOf(given: Arguments): Ids {
  const all = Object.keys(paymentsService.assumptions)
  const named = given.all('assumption')
  const unknown = named.find((id) => !all.includes(id))
  if (unknown !== undefined)
    throw new UsageError(`--assumption: there is no ${JSON.stringify(unknown)}.${didYouMean(unknown, all)}`)
  return named.length > 0 ? named : all
}

const questions = (ids: Ids) =>
  Object.fromEntries(Object.entries(paymentsService.assumptions).filter(([id]) => ids.includes(id)))

function printed(plan: ReturnType<typeof calibrationPlanOf>, given: Arguments, output: Output): number {
  output.out(given.has('json') ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan, output))
  return CLEAN
}

function readTraffic(file: string, ids: Ids, given: Arguments, output: Output): number {
  const report = usable(() => trafficReport(file, questions(ids)))
  const { answers } = report
  const shown = answers.filter(({ verdict }) => verdict !== 'not-asked')
  if (given.has('json')) output.out(`${JSON.stringify({ answers }, null, 2)}\n`)
  else {
    for (const one of shown) output.out(answerLine(one, output.paint))
    const holding = shown.filter(({ verdict }) => verdict === 'holds')
    output.out(`\n${count(holding.length, 'question')} of ${answers.length} told by ${file}.\n`)
  }
  const out = given.get('out')
  if (out !== undefined) writeNamed(out, measuredScenario(report))
  return CLEAN
}

/** Reports unusable input like a wrong flag. */
function usable<Done>(work: () => Done): Done {
  try {
    return work()
  } catch (error) {
    return asFailure(error)
  }
}

function measuredIn(file: string, ids: Ids): Record<string, string> {
  const { assumptions, chosenBy } = scenarioLibrary().find(file)
  const chosen = ids.filter((id) => chosenBy[id] === 'scenario')
  return Object.fromEntries(chosen.map((id) => [id, must(assumptions[id])]))
}

/** Saves after each answer, so that an interruption loses nothing. */
async function ask(asking: Asking, ids: Ids, given: Arguments, output: Output): Promise<CalibrationReport> {
  const secrets = new Secrets()
  for (const key of [asking.account, ...Object.values(asking.keys)]) {
    secrets.nameOf(key.apiKey, 'key')
    secrets.nameOf(key.apiSecret, 'secret')
  }
  const out = given.get('out')
  const kept = out === undefined ? undefined : usable(() => new CalibrationFiles(out, secrets))
  const interruption = new AbortController()
  const interrupted = () => interruption.abort()
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const receiver =
    asking.account.receiver === undefined ? undefined : await startReceiver(asking.receiverPort, asking.receiverHost)
  const progress = output.progress('asking', true)
  let sent = 0
  let asked = ''
  const told = (text: string) => {
    progress.end()
    output.out(text)
  }
  try {
    const report = await runCalibration({
      ...asking,
      secrets,
      fetch,
      questions: questions(ids),
      known: given.has('again') || given.has('check') ? [] : (kept?.known(asking.baseUrl, wallNowMs()) ?? []),
      twice: true,
      receiver,
      signal: interruption.signal,
      nowMs: wallNowMs,
      pause: realPause,
      wait: (ms) => waited(ms, interruption.signal),
      ...(process.stdin.isTTY && {
        byHand: ({ byHand, checkoutUrl }) => {
          progress.end()
          return doneByHand(`${byHand}\n${checkoutUrl ?? ''}`)
        },
      }),
      asking: (id, question) => {
        asked = `${id}: ${question}`
        progress.at(sent / asking.requests, asked)
      },
      answered: (answer) => {
        if (given.has('json') || answer.verdict === 'not-asked') return
        told(`${sent}\t${answerLine(answer, output.paint)}`)
      },
      sent: (exchange) => {
        sent++
        progress.at(sent / asking.requests, asked)
        kept?.exchange(exchange)
      },
    })
    kept?.report(report)
    return report
  } finally {
    progress.end()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await receiver?.close()
    kept?.close()
  }
}

function compared(
  measured: Record<string, string>,
  report: CalibrationReport,
  given: Arguments,
  output: Output,
): number {
  const { moved, untold } = comparedWith(measured, report.answers)
  if (given.has('json')) output.out(`${JSON.stringify({ ...report, moved }, null, 2)}\n`)
  else {
    for (const { assumption, was, is } of moved)
      output.out(`${assumption}: was ${was}, is ${output.paint('red', is)}\n`)
    output.out(calibrationText(report, output))
  }
  if (report.stopped?.code === 'accepted' || report.stopped?.code === 'moved' || moved.length > 0) return PROBLEMS
  return untold.length > 0 || report.stopped ? USAGE : CLEAN
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  await Promise.race([realPause(ms), ended.promise])
  signal.throwIfAborted()
}

async function doneByHand(text: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  await lines.question(`${text}\nPress Enter when it is done. `)
  lines.close()
}

function exitCode({ stopped }: CalibrationReport): number {
  if (stopped === null || stopped.code === 'budget' || stopped.code === 'interrupted') return CLEAN
  return stopped.code === 'unreachable' ? USAGE : PROBLEMS
}

// Prints a calibration: each answer as it comes, and a summary.

const COLOURS = {
  holds: 'green',
  'none-of-ours': 'red',
  unstable: 'red',
  untold: 'yellow',
  'not-asked': 'gray',
} as const satisfies Record<CalibrationVerdict, Parameters<Paint>[0]>

const WORDS: Record<CalibrationVerdict, string> = {
  holds: 'holds',
  'none-of-ours': 'none of ours',
  unstable: 'unstable',
  untold: 'could not be told',
  'not-asked': 'not asked',
}

const SHOWN_CHARACTERS = 300

export function answerLine(
  { assumption, verdict, alternative, why, evidence, excluded }: Calibrated,
  paint: Paint,
): string {
  const told = alternative ?? `${WORDS[verdict]}: ${why ?? ''}`
  const out = verdict !== 'holds' && excluded.length > 0 ? `; not ${excluded.join(', ')}` : ''
  const last = verdict === 'none-of-ours' ? evidence.at(-1) : undefined
  const shown = last
    ? `    ${oneLine(`${last.asked} → ${last.status} ${last.answered.slice(0, SHOWN_CHARACTERS)}`)}\n`
    : ''
  return `${assumption}: ${paint(COLOURS[verdict], told)}${out}\n${shown}`
}

export function calibrationText(report: CalibrationReport, { paint }: Output): string {
  const { answers, requests, payments, accepted, stopped } = report
  const of = (verdict: CalibrationVerdict) => answers.filter((one) => one.verdict === verdict)
  const counts = keysIn(WORDS)
    .map((verdict) => [of(verdict).length, WORDS[verdict]] as const)
    .filter(([many]) => many > 0)
    .map(([many, word]) => `${many} ${word}`)
  const allowed = new Map<string, number>()
  for (const { why } of of('not-asked')) allowed.set(why ?? '', (allowed.get(why ?? '') ?? 0) + 1)
  const lines = [...allowed].sort(([, a], [, b]) => b - a).map(([why, times]) => `${times}: ${why}\n`)
  return [
    stopped ? `\n${paint('red', `Stopped: ${stopped.why}.`)}\n` : '\n',
    ...(stopped?.evidence ?? []).map(
      ({ asked, sent, status, answered }) =>
        `  ${oneLine(`${asked} ${sent} → ${status} ${answered.slice(0, SHOWN_CHARACTERS)}`)}\n`,
    ),
    `${counts.join(', ')}. ${count(requests, 'request')}, ${count(payments, 'payment')}.\n`,
    accepted > 0
      ? `${paint('red', `${count(accepted, 'request')} that was to be refused was accepted. Look in your account for what it made, and cancel it.`)}\n`
      : '',
    section('Not asked', stopped ? '' : lines.join(''), paint),
  ].join('')
}

export function planText({ ways, unaskable }: CalibrationPlan, { paint }: Output): string {
  const sections = tiers.flatMap((tier) => {
    const of = ways.filter((way) => way.tier === tier)
    if (of.length === 0) return []
    const allowed = of[0]?.isAllowed ? 'asked' : `not asked without --allow ${tier}`
    const lines = of.map(({ assumption, needs, requests, more }) => {
      const needed = needs.length > 0 ? `  (needs ${needs.join(', ')})` : ''
      const follow = more > 0 ? `  ${count(more, 'more step')}, as it is answered\n` : ''
      return `${assumption}${needed}\n${requests.map(requestLine).join('')}${follow}`
    })
    return [section(`${tier}, ${allowed}`, lines.join(''), paint)]
  })
  const never = unaskable.map(({ assumption, why }) => `${assumption}: ${why}\n`)
  return [...sections, section('Cannot be asked', never.join(''), paint)].join('')
}

function requestLine({ method, path, body, doom }: CalibrationPlan['ways'][number]['requests'][number]): string {
  const certain = doom === null ? '' : `  [certain to be refused: ${doom}]`
  return `  ${oneLine(`${method} ${path} ${body}`.trimEnd())}${certain}\n`
}
