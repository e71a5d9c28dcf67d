import { appendFileSync } from 'node:fs'
import { realPause, wallNowMs } from '../../../hosts/node/wall.ts'
import {
  answerRun,
  type CalibrationReport,
  calibrationDocument,
  calibrationPlan,
  measuredScenario,
  runCalibration,
  startReceiver,
  trafficReport,
  writeCalibration,
} from '../../../judge/calibrate.ts'
import { paymentsService } from '../../../service/service.ts'
import type { Arguments, TopCommand } from '../command.ts'
import { reportFlags } from '../typed-values.ts'
import { writeNamed, writing } from '../write-file.ts'
import { accountOf, askingFlags, readAsking, tiersOf } from './calibrate-settings.ts'
import { evidenceFlag } from './evidence-record.ts'
import { type JudgingWatch, judging } from './judging.ts'

export const calibrateCommand: TopCommand = {
  about:
    'It sends requests to your sandbox account and writes a scenario with the answers. Set PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY first. It takes about 3 minutes, longer with --allow.',
  exits: {
    0: 'finished',
    1: 'a request was accepted unexpectedly, or answers differ (--from)',
    2: 'the service could not be asked',
  },
  flags: [
    ...askingFlags,
    { name: 'out', value: 'file', help: 'The scenario to write.', names: 'files' },
    { name: 'from', value: 'traffic.har', help: 'Read recorded traffic and send nothing.', names: 'files' },
    evidenceFlag,
    ...reportFlags,
  ],
  examples: [
    'mfano calibrate --base-url https://api.provider.example --plan',
    'mfano calibrate --base-url https://api.provider.example --out measured.yaml',
    'mfano calibrate --from traffic.har',
  ],
  run: (given, output) => judging(given, output, (watch) => documentOf(given, watch), 'asking'),
}

async function documentOf(given: Arguments, watch: JudgingWatch) {
  const questions = questionsOf(given)
  if (given.has('plan')) return calibrationPlan(Object.keys(questions), accountOf(given, process.env), tiersOf(given))
  const from = given.get('from')
  if (from !== undefined) return calibrationDocument(readTraffic(from, questions, given, watch))
  return calibrationDocument(await ask(questions, given, watch))
}

type Questions = ReturnType<typeof questionsOf>

function questionsOf(given: Arguments) {
  const named = given.all('assumption')
  const isAsked = ([id]: readonly [string, unknown]) => named.length === 0 || named.includes(id)
  return Object.fromEntries(Object.entries(paymentsService.assumptions).filter(isAsked))
}

function readTraffic(file: string, questions: Questions, given: Arguments, { ended }: JudgingWatch) {
  const report = trafficReport(file, questions)
  for (const answer of report.answers) if (answer.verdict !== 'not-asked') ended(answerRun(answer))
  const out = given.get('out')
  if (out !== undefined) writeNamed(out, measuredScenario(report))
  return report
}

async function ask(
  questions: Questions,
  given: Arguments,
  { signal, ended }: JudgingWatch,
): Promise<CalibrationReport> {
  const { receiverPort, receiverHost, ...asking } = readAsking(given, process.env)
  const out = given.get('out')
  // Three minutes of questions are not lost because their answers cannot be written.
  if (out !== undefined) writing(out, () => appendFileSync(out, ''))
  const receiver = asking.account.receiver === undefined ? undefined : await startReceiver(receiverPort, receiverHost)
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    const report = await runCalibration({
      ...asking,
      fetch,
      questions,
      twice: true,
      receiver,
      signal,
      nowMs: wallNowMs,
      pause: (ms) => Promise.race([realPause(ms), aborted]),
      answered: (answer) => {
        if (answer.verdict !== 'not-asked') ended(answerRun(answer))
      },
    })
    if (out !== undefined) writeCalibration(out, report)
    return report
  } finally {
    await receiver?.close()
  }
}
