/** `mfano mutants`: finds wrong answers that an app or a suite would not notice. */
import { must } from '../../../core/model/must.ts'
import { findMutants } from '../../../judge/find-mutants.ts'
import type { CliCommand } from '../command.ts'
import { evidenceFlag } from '../evidence/keep-evidence.ts'
import { judging } from '../judging.ts'
import { millisecondsOf, reportFlags, scenarioFlag, subjectGiven, suiteFlags } from '../suite-flags.ts'
import { wholeValue } from '../typed-values.ts'
import { writeNamed } from '../write-file.ts'

export const mutantsCommand: CliCommand = {
  name: 'mutants',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Tells an app, or the app of a test suite behind --, one thing otherwise than it is in each run: an amount, a reference, a currency, a status, an id, an order, a signature. Says which of these lies nobody noticed, and which fields are proven to be read. Exit code 0: all were noticed, or as many as --min asks for; 1: some survived; 2: it could not be judged.',
  flags: [
    {
      name: 'min',
      value: 'score',
      help: 'How many of a hundred have to be noticed.',
      byDefault: '100',
      ...wholeValue(0, 100),
    },
    scenarioFlag,
    {
      name: 'only',
      value: 'text',
      help: 'Only mutants with this in their name, such as callback or ×100; may be repeated.',
      expected: 'part of a name',
      many: true,
    },
    { name: 'seed', value: 'n', help: 'Where chance begins.', byDefault: '1', ...wholeValue(1) },
    {
      name: 'coverage',
      value: 'file',
      help: 'Write what is exercised, and which fields are read, for mfano coverage.',
      names: 'files',
    },
    {
      name: 'equivalent',
      value: 'file',
      help: 'Mutants that no suite can notice, a line each: NAME: why. They do not count, and are told as such.',
      names: 'files',
    },
    ...suiteFlags,
    evidenceFlag,
    ...reportFlags,
  ],
  examples: ['mfano mutants merchant.yaml', 'mfano mutants --min 80 -- npm test'],
  run: (given, output) =>
    judging(given, output, async (watch) => {
      const { coverage, ...report } = await findMutants({
        ...subjectGiven(given, watch),
        suiteWithinMs: millisecondsOf(given, 'within'),
        scenario: given.get('scenario') ?? 'default',
        seed: must(given.number('seed')),
        least: must(given.number('min')),
        only: given.all('only'),
        equivalents: given.get('equivalent'),
      })
      const file = given.get('coverage')
      if (file !== undefined && coverage) writeNamed(file, `${JSON.stringify(coverage, null, 2)}\n`)
      return report
    }),
}
