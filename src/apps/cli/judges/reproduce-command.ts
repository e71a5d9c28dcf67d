import { must } from '../../../core/model/must.ts'
import { reproduceIncident } from '../../../judge/reproduce-incident.ts'
import { RUNS_PER_CPU } from '../../../judge/subject.ts'
import { UsageError } from '../command.ts'
import { seedFlag, withinFlag, withinGiven } from '../typed-values.ts'
import { judgingCommand } from './judging.ts'

export const reproduceCommand = judgingCommand({
  words: 'INCIDENT.har',
  about:
    'It infers what happened to your app: lost answers, callbacks twice or never, reversals, refusals. Then it runs the app under that. Nothing that it prints or writes holds a name, number or key of the incident.',
  exits: { 0: 'not reproduced', 1: 'reproduced', 2: 'could not be told' },
  flags: [
    { name: 'app', value: 'merchant.yaml', help: 'The app, by its merchant file. Required.', names: 'files' },
    { name: 'payments', value: 'file', help: "The provider's list, JSON or CSV.", names: 'files' },
    { name: 'books', value: 'file|url', help: "The app's books after the incident, JSON or CSV.", names: 'files' },
    { name: 'out', value: 'folder', help: 'Write incident.yaml, and a schedule and page per finding.', names: 'files' },
    { ...withinFlag, byDefault: '3m' },
    seedFlag,
  ],
  examples: [
    'mfano reproduce incident.har --app merchant.yaml',
    'mfano reproduce incident.har --app merchant.yaml --payments list.csv --books books.json --out incident',
  ],
  jobsPerCpu: RUNS_PER_CPU,
  judge: (given, watch) => {
    const app = given.get('app')
    if (app === undefined) throw new UsageError('--app: expected the merchant file of the app, such as merchant.yaml.')
    return reproduceIncident({
      ...watch,
      traffic: must(given.words[0]),
      app,
      payments: given.get('payments'),
      books: given.get('books'),
      out: given.get('out'),
      withinMs: withinGiven(given),
      seed: must(given.number('seed')),
    })
  },
  doing: (given) => `reproducing, at most ${given.get('within')}`,
})
