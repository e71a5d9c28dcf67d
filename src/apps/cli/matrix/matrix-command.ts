/** `mfano matrix`: a test suite under every alternative to what mfano assumes. */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { runMatrix } from '../../../judge/run-matrix.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Command, UsageError } from '../command.ts'
import { judging } from '../judging.ts'
import { millisecondsOf, reportFlags, scenarioFlag, subjectGiven, suiteFlags } from '../suite-flags.ts'

export const matrixCommand: Command = {
  name: 'matrix',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Runs a test suite by its command behind --, or an app by its merchant file, under the defaults and then under every alternative to what mfano assumes, each alone and in pairs, and names those that break it. Exit code 0: none does; 1: some do; 2: it could not be judged, as where it is red under the defaults.',
  flags: [
    scenarioFlag,
    {
      name: 'assumption',
      value: 'id',
      help: 'Only the alternatives of this one; may be repeated. GET /_mfano/fidelity lists them.',
      many: true,
    },
    { name: 'alone', help: 'Run each alternative alone, and none together.' },
    ...suiteFlags,
    ...reportFlags,
  ],
  examples: [
    'mfano matrix -- npm test',
    'mfano matrix --env API={baseUrl} --jobs 1 --junit matrix.xml -- npm test',
    'mfano matrix merchant.yaml --assumption error-body --assumption list-order',
  ],
  run: (given, output) =>
    judging(given, output, (watch) =>
      runMatrix({
        ...subjectGiven(given, watch),
        suiteWithinMs: millisecondsOf(given, 'within'),
        scenario: given.get('scenario') ?? 'default',
        assumptions: given.all('assumption').map(known),
        pairs: !given.has('alone'),
      }),
    ),
}

function known(id: string): string {
  const ids = Object.keys(paymentsService.assumptions)
  if (ids.includes(id)) return id
  throw new UsageError(`--assumption: there is no ${JSON.stringify(id)}.${didYouMean(id, ids)}`)
}
