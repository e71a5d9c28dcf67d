/** `mfano explore`: searches for the order of events that makes an app's books wrong. */
import { formatDuration, parseDuration } from '../../../core/model/time.ts'
import { RUNS_PER_CPU, searchSchedules } from '../../../judge/search-schedules.ts'
import { type Arguments, type Command, UsageError } from '../command.ts'
import { judging, reportFlags, wholeOf } from '../judging.ts'

const usual = { within: '60s', seed: '1', findings: '6' }
/** Seeds and counts may have so many. */
const DIGITS = 9

export const exploreCommand: Command = {
  name: 'explore',
  words: 'MERCHANT.yaml',
  count: [1, 1],
  names: ['files'],
  summary:
    "Searches for the order of events that makes an app's books wrong: how payments end, what becomes of answers and callbacks, crashes and restarts. Exit code 0: no findings; 1: findings; 2: it could not be judged.",
  flags: [
    { name: 'within', value: 'time', help: 'How long to search, in real time.', byDefault: usual.within },
    {
      name: 'schedules',
      value: 'n',
      help: 'How many schedules to run at the most.',
      expected: 'a whole number from 1',
    },
    { name: 'seed', value: 'n', help: 'Another seed is another search.', byDefault: usual.seed },
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
    { name: 'findings', value: 'n', help: 'Stop with so many.', byDefault: usual.findings },
    { name: 'only-replay', help: 'Run only those.' },
    {
      name: 'jobs',
      value: 'n',
      help: `Runs at a time. Default: ${RUNS_PER_CPU} for each processor.`,
      expected: 'a whole number from 1',
    },
    ...reportFlags,
  ],
  examples: ['mfano explore merchant.yaml', 'mfano explore merchant.yaml --within 30s --seed 7 --out found'],
  run: (given, output) =>
    judging(given, output, ({ signal, found, ended }) => {
      const whole = (flag: string) => (given.get(flag) === undefined ? undefined : wholeOf(given, flag, DIGITS))
      return searchSchedules({
        file: given.words[0] as string,
        withinMs: withinOf(given),
        seed: wholeOf(given, 'seed', DIGITS),
        schedules: whole('schedules'),
        findingsMax: wholeOf(given, 'findings', DIGITS),
        jobs: whole('jobs'),
        out: given.get('out'),
        replay: given.get('replay'),
        onlyReplay: given.has('only-replay'),
        signal,
        found,
        ended,
      })
    }),
}

function withinOf(given: Arguments): number {
  const text = given.get('within') ?? usual.within
  const us = parseDuration(text)
  if (us === undefined || us <= 0)
    throw new UsageError(
      `--within: expected a duration such as ${formatDuration(60_000_000)}, got ${JSON.stringify(text)}.`,
    )
  return us / 1000
}
