import { runGauntlet } from '../../../judge/run-gauntlet.ts'
import { merchantFileIn, WORLDS_PER_CPU } from '../../../judge/subject.ts'
import { type TopCommand, UsageError } from '../command.ts'
import { appFlags, failOnFlag, unstableFlag, withinFlag, withinGiven } from '../typed-values.ts'
import { evidenceFlag } from './evidence-record.ts'
import { judgingCommand } from './judging.ts'

const judged = judgingCommand({
  words: '[MERCHANT.yaml|curl…]',
  about:
    "Give a merchant file. After each scenario mfano compares your app's books with the ledger. It takes at most --within, usually 1 to 3 minutes.",
  exits: { 0: 'no findings', 1: 'findings', 2: 'the app could not be judged' },
  flags: [
    {
      name: 'init',
      help: "Draft a merchant file from your running app. Put the curl command by which you have it pay behind --. Default: the app of the world's latest callbackUrl.",
    },
    {
      name: 'out',
      value: 'file',
      help: "The file that --init writes. Default: merchant.yaml in your app's folder.",
      names: 'files',
    },
    {
      name: 'scenario',
      value: 'name|file',
      help: 'Run only this scenario. Repeatable.',
      names: 'scenarios',
      many: true,
    },
    { ...withinFlag, help: 'The most real time. Default: 3m, or no limit for named scenarios.' },
    unstableFlag,
    { name: 'full', help: 'Also run scenarios that cannot affect the app.' },
    ...appFlags,
    failOnFlag,
    evidenceFlag,
  ],
  examples: [
    'mfano gauntlet --init -- curl localhost:3000/salaries -d \'{"phone": "254712345678", "amount": 1000}\'',
    'mfano gauntlet merchant.yaml',
    'mfano gauntlet merchant.yaml --scenario payout-times-out --json',
  ],
  jobsPerCpu: WORLDS_PER_CPU,
  judge: (given, watch) => {
    const file = merchantFileIn(given.words)
    if (file === undefined)
      throw new UsageError(
        `expected a merchant file, got ${given.words.join(' ') || 'none'}. Draft one from your running app: --init -- curl localhost:3000/pay -d '{}'`,
      )
    return runGauntlet({
      ...watch,
      file,
      scenarios: given.all('scenario'),
      ...(given.has('within') && { withinMs: withinGiven(given) }),
      allowUnstable: given.has('allow-unstable'),
      full: given.has('full'),
      adviceCounts: given.get('fail-on') === 'warning',
    })
  },
  doing: (given) => `running scenarios${given.has('within') ? `, at most ${given.get('within')}` : ''}`,
})

export const gauntletCommand: TopCommand = {
  ...judged,
  run: async (given, output) =>
    given.has('init') ? (await import('./gauntlet-init.ts')).initMerchant(given, output) : judged.run(given, output),
}
