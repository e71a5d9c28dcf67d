/** `mfano matrix`: runs a test suite under alternatives of mfano's assumptions. */
import { didYouMean } from '../../../core/model/problems.ts'
import type { MatrixReport } from '../../../judge/run-matrix.ts'
import { runMatrix } from '../../../judge/run-matrix.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, type CliCommand, UsageError } from '../command.ts'
import { evidenceFlag } from '../evidence/evidence-record.ts'
import { judging } from '../judging.ts'
import {
  millisecondsOf,
  reportFlags,
  scenarioFlag,
  seedValue,
  subjectGiven,
  suiteFlags,
  tlsFlag,
  wholeValue,
} from '../typed-values.ts'
import { shellWord } from '../words.ts'

export const matrixCommand: CliCommand = {
  name: 'matrix',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary: 'Run your tests under every alternative to an assumption.',
  about:
    'Give a test suite behind --, or a merchant file. It runs with the defaults, then with each alternative alone, then in pairs. It lists the alternatives that break your app. It takes one run per alternative and one per row of pairs. --sample runs fewer.',
  exits: { 0: 'no alternative breaks it', 1: 'some do', 2: 'it could not be judged, or fails with the defaults' },
  flags: [
    scenarioFlag,
    {
      name: 'assumption',
      value: 'id',
      help: 'Only alternatives of this assumption. Repeatable.',
      many: true,
    },
    { name: 'alone', help: 'Run each alternative alone, without pairs.' },
    {
      name: 'sample',
      value: 'n',
      help: 'Run n random sets of alternatives instead.',
      ...wholeValue(1, 99_999),
    },
    {
      name: 'seed',
      value: 'number',
      help: 'The seed of the first set of --sample. Default: 1.',
      ...seedValue,
    },
    tlsFlag,
    ...suiteFlags,
    evidenceFlag,
    ...reportFlags,
  ],
  examples: [
    'mfano matrix -- npm test',
    'mfano matrix --env API={baseUrl} --jobs 1 --junit matrix.xml -- npm test',
    'mfano matrix merchant.yaml --assumption error-body --assumption list-order',
    'mfano matrix --sample 20 -- npm test',
    'mfano matrix --tls --assumption url-rules -- npm test',
  ],
  run: (given, output) =>
    judging(
      given,
      output,
      (watch) =>
        runMatrix({
          ...subjectGiven(given, watch),
          suiteWithinMs: millisecondsOf(given, 'within'),
          scenario: given.get('scenario') ?? 'default',
          assumptions: given.all('assumption').map(known),
          pairs: !given.has('alone'),
          tls: given.has('tls'),
          sample: sampleOf(given),
        }),
      'running once per alternative',
    ),
}

function sampleOf(given: Arguments): MatrixReport['sample'] {
  const count = given.number('sample')
  if (count === undefined && given.has('seed')) throw new UsageError('--seed applies to --sample only. Add --sample.')
  if (count === undefined) return null
  if (given.has('alone')) throw new UsageError('--alone and --sample contradict each other. Remove one of them.')
  const seed = given.number('seed') ?? 1
  const again = ['scenario', 'assumption', 'env', 'within'].flatMap((name) =>
    given.all(name).map((value) => `--${name} ${shellWord(value)}`),
  )
  if (given.has('tls')) again.push('--tls')
  const typed = [`--sample 1 --seed ${seed}`, ...again, '--', ...given.words.map(shellWord)]
  return { count, seed, repeat: `mfano matrix ${typed.join(' ')}` }
}

function known(id: string): string {
  const ids = Object.keys(paymentsService.assumptions)
  if (ids.includes(id)) return id
  throw new UsageError(`--assumption: there is no ${JSON.stringify(id)}.${didYouMean(id, ids)}`)
}
