import { must } from '../../../core/model/must.ts'
import { proveMend } from '../../../judge/prove-mend.ts'
import { WORLDS_PER_CPU } from '../../../judge/subject.ts'
import { appFlags, seedFlag, withinFlag, withinGiven } from '../typed-values.ts'
import { judgingCommand } from './judging.ts'

export const proveCommand = judgingCommand({
  words: 'MERCHANT.yaml',
  about:
    'It runs the same schedules in the commit before and in your files as they are now. They must be red there and green here, and nothing near them newly red. The commit before is checked out in a temporary folder.',
  exits: { 0: 'proved', 1: 'refused, with the reason', 2: 'could not be judged' },
  flags: [
    {
      name: 'from',
      value: 'ref',
      help: 'The commit before. Default: HEAD if files differ from it, else HEAD~1.',
    },
    {
      name: 'incident',
      value: 'folder',
      help: 'Run the schedules in this folder, such as those of reproduce --out.',
      names: 'files',
    },
    { name: 'finding', value: 'code', help: 'Prove only this finding, such as paid_twice. Default: all.' },
    { ...withinFlag, help: 'The most real time to find something in the commit before.', byDefault: '3m' },
    { name: 'out', value: 'folder', help: 'Write receipt.md and receipt.json once it is proved.', names: 'files' },
    seedFlag,
    ...appFlags,
  ],
  examples: [
    'mfano prove merchant.yaml --finding paid_twice',
    'mfano prove merchant.yaml --incident found --out receipt',
  ],
  jobsPerCpu: WORLDS_PER_CPU,
  judge: (given, watch) =>
    proveMend({
      ...watch,
      file: must(given.words[0]),
      from: given.get('from'),
      incident: given.get('incident'),
      finding: given.get('finding'),
      withinMs: withinGiven(given),
      out: given.get('out'),
      seed: must(given.number('seed')),
    }),
  doing: () => 'proving',
})
