import { runMatrix } from '../../../judge/run-matrix.ts'
import { SUITES_PER_CPU, WORLDS_PER_CPU } from '../../../judge/subject.ts'
import { scenarioFlag, subjectGiven, suiteFlags } from '../typed-values.ts'
import { assumptionFlag } from './calibrate-settings.ts'
import { evidenceFlag } from './evidence-record.ts'
import { judgingCommand } from './judging.ts'

export const matrixCommand = judgingCommand({
  words: 'MERCHANT.yaml|COMMAND…',
  about:
    'Give a test suite behind --, or a merchant file. It runs with the defaults, then with each alternative alone, then in pairs. It lists the alternatives that break your app. It takes one run per alternative and one per row of pairs.',
  exits: { 0: 'no alternative breaks it', 1: 'some do', 2: 'it could not be judged, or fails with the defaults' },
  flags: [
    scenarioFlag,
    assumptionFlag,
    { name: 'alone', help: 'Run each alternative alone, without pairs.' },
    ...suiteFlags,
    evidenceFlag,
  ],
  examples: [
    'mfano matrix -- npm test',
    'mfano matrix --env API={baseUrl} --jobs 1 --junit matrix.xml -- npm test',
    'mfano matrix merchant.yaml --assumption error-body --assumption list-order',
    'mfano matrix --tls --assumption url-rules -- npm test',
  ],
  jobsPerCpu: WORLDS_PER_CPU,
  suitesPerCpu: SUITES_PER_CPU,
  judge: (given, watch) =>
    runMatrix({
      ...subjectGiven(given, watch),
      assumptions: given.all('assumption'),
      pairs: !given.has('alone'),
    }),
  doing: () => 'running once per alternative',
})
