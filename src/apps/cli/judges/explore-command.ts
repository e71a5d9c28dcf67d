import { must } from '../../../core/model/must.ts'
import { searchSchedules } from '../../../judge/search-schedules.ts'
import { RUNS_PER_CPU } from '../../../judge/subject.ts'
import { seedFlag, unstableFlag, wholeValue, withinFlag, withinGiven } from '../typed-values.ts'
import { evidenceFlag } from './evidence-record.ts'
import { judgingCommand } from './judging.ts'

export const exploreCommand = judgingCommand({
  words: 'MERCHANT.yaml',
  about:
    'It varies how payments end, loses and delays answers and callbacks, and crashes your app. Each finding is shrunk to the fewest steps and repeated. It takes --within of real time, 60 seconds by default.',
  exits: { 0: 'no findings', 1: 'findings, unstable ones included', 2: 'the app could not be judged' },
  flags: [
    { ...withinFlag, byDefault: '60s' },
    {
      name: 'schedules',
      value: 'n',
      help: 'The most schedules to run.',
      ...wholeValue(1),
    },
    seedFlag,
    {
      name: 'out',
      value: 'folder',
      help: 'Write a schedule, scenario and capsule per finding.',
      names: 'files',
    },
    {
      name: 'replay',
      value: 'folder',
      help: 'First run the schedules that --out wrote.',
      names: 'files',
    },
    { name: 'findings', value: 'n', help: 'Stop after this many findings.', byDefault: '6', ...wholeValue(1) },
    { name: 'only-replay', help: 'Run only the schedules of --replay.' },
    unstableFlag,
    evidenceFlag,
  ],
  examples: ['mfano explore merchant.yaml', 'mfano explore merchant.yaml --within 30s --seed 7 --out found'],
  jobsPerCpu: RUNS_PER_CPU,
  judge: (given, watch) =>
    searchSchedules({
      ...watch,
      file: must(given.words[0]),
      withinMs: withinGiven(given),
      seed: must(given.number('seed')),
      schedules: given.number('schedules'),
      findingsMax: must(given.number('findings')),
      out: given.get('out'),
      replay: given.get('replay'),
      onlyReplay: given.has('only-replay'),
      allowUnstable: given.has('allow-unstable'),
    }),
  doing: (given) => `searching, at most ${given.get('within')}`,
})
