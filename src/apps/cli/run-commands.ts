/** The commands `mfano run …`. */
import type { ShownRun } from '../../client/control.ts'
import type { CommandGroup } from './command.ts'
import { serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { hint, time } from './words.ts'

const columns: readonly TableColumn<ShownRun>[] = [
  { title: 'RUN', of: ({ id }) => id, right: true },
  { title: 'NAME', of: ({ name }) => name, least: 16 },
  { title: 'BEGUN', of: ({ begunAt }) => time(begunAt) },
  { title: 'ENDED', of: ({ endedAt }) => time(endedAt) },
  { title: 'PAYMENTS', of: ({ payments }) => payments, right: true },
  { title: 'REQUESTS', of: ({ requests }) => requests, right: true },
  { title: 'NOTE', of: ({ note }) => note, least: 12, spare: 1 },
]

const start = serverCommand({
  name: 'start',
  words: 'NAME',
  summary: 'Start a named test run.',
  about: 'Everything that happens from now on belongs to it. A run in progress ends.',
  flags: [{ name: 'note', value: 'text', help: 'A note that the report shows.', expected: 'a text' }],
  examples: ['mfano run start payday', "mfano run start 'payday, sprint 14' --note 'bank payouts only'"],
  ask: ({ control }, given) => {
    const [name = ''] = given.words
    return control('POST', '/runs', { body: { name, note: given.get('note') } })
  },
  show: (run, output, given) => `${table([run], columns, output)}Report: ${hint(`report --run ${run.id}`, given)}\n`,
})

const end = serverCommand({
  name: 'end',
  words: '[RUN]',
  summary: 'End a test run. Default: the newest.',
  examples: ['mfano run end', 'mfano run end payday'],
  ask: ({ control }, { words: [id = 'last'] }) => control('POST', '/runs/:id/end', { path: { id } }),
  show: (run, output, given) => `${table([run], columns, output)}Report: ${hint(`report --run ${run.id}`, given)}\n`,
})

const list = serverCommand({
  name: 'list',
  summary: 'List test runs, newest first.',
  examples: ['mfano run list', 'mfano run list --csv'],
  csv: () => ({ list: '/runs' }),
  ask: ({ control }) => control('GET', '/runs'),
  show: ({ runs }, output, given) =>
    runs.length === 0
      ? `No test runs yet. Start one: ${hint('run start NAME', given)}\n`
      : table(runs, columns, output),
})

const remove = serverCommand({
  name: 'remove',
  words: 'RUN',
  summary: 'Delete a test run. Its payments stay.',
  examples: ['mfano run remove payday'],
  ask: ({ control }, { words: [id = ''] }) => control('DELETE', '/runs/:id', { path: { id } }),
  show: ({ removed }) => `Test run ${removed} is deleted.\n`,
})

export const runGroup: CommandGroup = { commands: [list, start, end, remove], otherwise: 'list' }
