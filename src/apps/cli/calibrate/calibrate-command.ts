/** `mfano calibrate`: asks the real service which alternative of each assumption is true. */
import { createInterface } from 'node:readline/promises'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { must } from '../../../core/model/must.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { realPause, wallNowMs } from '../../../hosts/node/wall.ts'
import {
  CalibrationFiles,
  type CalibrationReport,
  calibrationPlanOf,
  comparedWith,
  measuredScenario,
  runCalibration,
  Secrets,
  startReceiver,
  trafficReport,
} from '../../../judge/calibrate.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CLEAN, type CliCommand, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import { asFailure } from '../judging.ts'
import type { Output } from '../output.ts'
import { count } from '../words.ts'
import { writeNamed } from '../write-file.ts'
import { type Asking, accountOf, askingFlags, readAsking, tiersOf } from './calibrate-settings.ts'
import { answerLine, calibrationText, planText } from './calibrate-text.ts'

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
