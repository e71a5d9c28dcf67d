import { must } from '../../../core/model/must.ts'
import { findMutants } from '../../../judge/find-mutants.ts'
import { merchantFileIn, SUITES_PER_CPU } from '../../../judge/subject.ts'
import { UsageError } from '../command.ts'
import { scenarioFlag, seedFlag, subjectGiven, suiteFlags, wholeValue } from '../typed-values.ts'
import { evidenceFlag } from './evidence-record.ts'
import { judgingCommand } from './judging.ts'

export const mutantsCommand = judgingCommand({
  words: 'COMMAND…',
  about:
    'Give a test suite behind --. Each run changes one thing in an answer or callback: an amount, reference, currency, status, id, order or signature. A change that nobody notices survives. It takes one run per change. Use --only to run fewer.',
  exits: { 0: 'enough changes were noticed (--min)', 1: 'too many survived', 2: 'the suite could not be judged' },
  flags: [
    {
      name: 'min',
      value: 'score',
      help: 'The percentage that must be noticed.',
      byDefault: '100',
      ...wholeValue(0, 100),
    },
    scenarioFlag,
    {
      name: 'only',
      value: 'text',
      help: 'Only mutants whose name contains this. Repeatable.',
      expected: 'part of a name',
      many: true,
    },
    seedFlag,
    ...suiteFlags,
    evidenceFlag,
  ],
  examples: ['mfano mutants -- npm test', 'mfano mutants --min 80 --only status -- npm test'],
  jobsPerCpu: SUITES_PER_CPU,
  judge: (given, watch) => {
    const app = merchantFileIn(given.words)
    if (app !== undefined)
      throw new UsageError(`expected the command of a test suite, such as -- npm test, got ${app}.`)
    return findMutants({
      ...subjectGiven(given, watch),
      seed: must(given.number('seed')),
      least: must(given.number('min')),
      only: given.all('only'),
    })
  },
  doing: () => 'running once per changed answer',
})
