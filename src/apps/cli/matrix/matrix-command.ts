/** `mfano matrix`: runs a test suite under alternatives of mfano's assumptions. */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import type { MatrixReport } from '../../../judge/run-matrix.ts'
import { runMatrix } from '../../../judge/run-matrix.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, type CliCommand, UsageError } from '../command.ts'
import { evidenceFlag } from '../evidence/keep-evidence.ts'
import { judging } from '../judging.ts'
import { millisecondsOf, reportFlags, scenarioFlag, subjectGiven, suiteFlags } from '../suite-flags.ts'
import { seedValue, wholeValue } from '../typed-values.ts'
import { shellWord } from '../words.ts'

export const matrixCommand: CliCommand = {
  name: 'matrix',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Runs a test suite by its command behind --, or an app by its merchant file, under the defaults and then under every alternative to what mfano assumes, each alone and in pairs, or in sets that are drawn, and names those that break it. Exit code 0: none does; 1: some do; 2: it could not be judged, as where it is red under the defaults.',
  flags: [
    scenarioFlag,
    {
      name: 'assumption',
      value: 'id',
      help: 'Only the alternatives of this one; may be repeated. GET /_mfano/fidelity lists them.',
      many: true,
    },
    { name: 'alone', help: 'Run each alternative alone, and none together.' },
    {
      name: 'sample',
      value: 'n',
      help: 'Run under n sets in which every assumption is drawn, as a world with assumptions: drawn has them, and under no others.',
      ...wholeValue(1, 99_999),
    },
    {
      name: 'seed',
      value: 'number',
      help: 'The seed of the first set of --sample, 1 unless given; each further set has the next one.',
      ...seedValue,
    },
    {
      name: 'tls',
      help: 'Give it the address of its world as https, and files to trust and to receive callbacks with: PAYMENTS_CA, CALLBACK_CERT and CALLBACK_KEY. Then url-rules: https-only can be green.',
    },
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
    judging(given, output, (watch) =>
      runMatrix({
        ...subjectGiven(given, watch),
        suiteWithinMs: millisecondsOf(given, 'within'),
        scenario: given.get('scenario') ?? 'default',
        assumptions: given.all('assumption').map(known),
        pairs: !given.has('alone'),
        tls: given.has('tls'),
        sample: sampleOf(given),
      }),
    ),
}

function sampleOf(given: Arguments): MatrixReport['sample'] {
  const count = given.number('sample')
  if (count === undefined && given.has('seed')) throw new UsageError('--seed is for sets that are drawn. Add --sample.')
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
