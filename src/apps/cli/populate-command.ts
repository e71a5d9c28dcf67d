/** `mfano populate`: fills a world with past payments. */
import type { ControlAnswer } from '../../client/control.ts'
import { whileWatched } from './clock-commands.ts'
import { inItsZone, serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { instantValue, readParameters, seedValue, setFlag, wholeValue } from './typed-values.ts'
import { count, hint, time } from './words.ts'

type Populated = ControlAnswer<'POST', '/populate'>
type Counted = Populated['payments']['byKind'][number]

const columns: readonly TableColumn<Counted>[] = [
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'PAYMENTS', of: ({ count: number }) => number.toLocaleString('en'), right: true },
]

export const populateCommand = serverCommand({
  name: 'populate',
  words: '[WORLD]',
  summary: 'Create a world with months of past payments.',
  about: 'The past is simulated, not copied: each payment, callback and wallet is as if it had happened.',
  flags: [
    {
      name: 'profile',
      value: 'name',
      help: 'The kind of business: payroll, shop or savings-group.',
      byDefault: 'payroll',
    },
    {
      name: 'months',
      value: 'number',
      help: 'How many months of past to simulate.',
      ...wholeValue(0),
      expected: '1 to 36',
      byDefault: '6',
    },
    {
      name: 'payments',
      value: 'number',
      help: 'How many payments to simulate.',
      ...wholeValue(0),
      expected: '1 to 1000000',
      byDefault: '2000',
    },
    {
      name: 'seed',
      value: 'number',
      help: 'The same seed and end give the same world.',
      ...seedValue,
    },
    {
      name: 'until',
      value: 'time',
      help: 'When the past ends. Default: last midnight, UTC.',
      ...instantValue,
    },
    { name: 'scenario', value: 'name|file', help: 'The scenario for payments after the past.', names: 'scenarios' },
    setFlag,
    { name: 'snapshot', value: 'name', help: 'Also save a snapshot with this name, to fork.', expected: 'a name' },
  ],
  examples: [
    'mfano populate',
    'mfano populate duka --profile shop --payments 20000 --months 12',
    'mfano populate --profile savings-group --until 2025-12-31T00:00:00 --seed 7 --snapshot year-end',
  ],
  ask: async (server, given, output) => {
    const scenario = given.get('scenario')
    const parameters = readParameters(given)
    const sent =
      scenario === undefined ? undefined : (await import('./send-scenario.ts')).scenarioToSend(scenario, parameters)
    const body = {
      world: given.words[0],
      profile: given.get('profile'),
      months: given.number('months'),
      payments: given.number('payments'),
      seed: given.number('seed'),
      until: given.get('until'),
      scenario: sent?.content,
      parameters: sent ? sent.parameters : parameters,
    }
    const root = server.root.within('for-ever')
    const look = async () => {
      const { underWay } = await server.root.control('GET', '/populate')
      const mine = underWay.find(({ world }) => world === (body.world ?? body.profile))
      return mine ? { fraction: mine.done / mine.all, note: time(mine.now) } : { fraction: undefined }
    }
    const made = await whileWatched(output, 'populating', look, () =>
      inItsZone(root, root.control('POST', '/populate', { body })),
    )
    const name = given.get('snapshot')
    if (name !== undefined) await root.of(made.id).control('POST', '/snapshots', { body: { name } })
    return { ...made, ...(name !== undefined && { snapshot: `${made.id}/${name}` }) }
  },
  show: ({ id, baseUrl, from, until, payments, snapshot }, output, given) =>
    `World ${id}: ${count(payments.total, 'payment')} from ${time(from)} to ${time(until)}.\n\n` +
    `${table(payments.byKind, columns, output)}\n` +
    `base URL  ${baseUrl}\n` +
    (snapshot === undefined ? '' : `Copy it: ${hint(`world fork ${snapshot}`, given)}\n`),
})
