/** `mfano explore`: searches for an order of events that makes an app's books wrong. */
import { must } from '../../../core/model/must.ts'
import { parseDuration } from '../../../core/model/time.ts'
import { RUNS_PER_CPU, searchSchedules } from '../../../judge/search-schedules.ts'
import type { CliCommand } from '../command.ts'
import { evidenceFlag } from '../evidence/keep-evidence.ts'
import { judging } from '../judging.ts'
import { reportFlags } from '../suite-flags.ts'
import { durationValue, wholeValue } from '../typed-values.ts'

export const exploreCommand: CliCommand = {
  name: 'explore',
  words: 'MERCHANT.yaml',
  names: ['files'],
  summary:
    "Searches for the order of events that makes an app's books wrong: how payments end, what becomes of answers and callbacks, crashes and restarts. Exit code 0: nothing was seen; 1: findings, unstable ones included; 2: it could not be judged.",
  flags: [
    {
      name: 'within',
      value: 'time',
      help: 'How long it may take, in real time: searching, shrinking and confirming.',
      byDefault: '60s',
      ...durationValue,
    },
    {
      name: 'schedules',
      value: 'n',
      help: 'How many schedules to run at the most.',
      ...wholeValue(1),
    },
    { name: 'seed', value: 'n', help: 'Another seed is another search.', byDefault: '1', ...wholeValue(1) },
    {
      name: 'out',
      value: 'folder',
      help: 'Write each finding there: a schedule, a scenario and a page.',
      names: 'files',
    },
    {
      name: 'replay',
      value: 'folder',
      help: 'Run the schedules that --out wrote there before any other.',
      names: 'files',
    },
    { name: 'findings', value: 'n', help: 'Stop with so many.', byDefault: '6', ...wholeValue(1) },
    { name: 'only-replay', help: 'Run only those.' },
    {
      name: 'allow-unstable',
      help: 'Exit with 0 although something was seen that its schedule does not show each time.',
    },
    {
      name: 'jobs',
      value: 'n',
      help: `Runs at a time. Default: ${RUNS_PER_CPU} for each processor.`,
      ...wholeValue(1),
    },
    evidenceFlag,
    ...reportFlags,
  ],
  examples: ['mfano explore merchant.yaml', 'mfano explore merchant.yaml --within 30s --seed 7 --out found'],
  run: (given, output) =>
    judging(given, output, ({ signal, found, ended }) =>
      searchSchedules({
        file: must(given.words[0]),
        withinMs: must(parseDuration(must(given.get('within')))) / 1000,
        seed: must(given.number('seed')),
        schedules: given.number('schedules'),
        findingsMax: must(given.number('findings')),
        jobs: given.number('jobs'),
        out: given.get('out'),
        replay: given.get('replay'),
        onlyReplay: given.has('only-replay'),
        allowUnstable: given.has('allow-unstable'),
        signal,
        found,
        ended,
      }),
    ),
}
