/** The commands `mfano snapshot …`. */
import type { ControlAnswer } from '../../client/control.ts'
import type { CommandGroup } from './command.ts'
import { inItsZone, serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { hint, size, time } from './words.ts'
import { saveTo } from './world-files.ts'

/** A snapshot whose file cannot be read has `problem` instead of the other fields. */
type Snapshot = ControlAnswer<'GET', '/snapshots'>['snapshots'][number]

const columns: readonly TableColumn<Snapshot>[] = [
  { title: 'SNAPSHOT', of: ({ name }) => name },
  { title: 'WORLD', of: ({ world }) => world },
  { title: 'NOW', of: ({ now }) => time(now ?? null) },
  { title: 'SCENARIO', of: ({ scenario, problem }) => problem ?? scenario ?? null, least: 12, spare: 2 },
  { title: 'SIZE', of: ({ bytes }) => (bytes === undefined ? null : size(bytes)), right: true, spare: 3 },
  { title: 'NOTE', of: ({ note }) => note ?? null, least: 12, spare: 1 },
]

const list = serverCommand({
  name: 'list',
  summary: 'List snapshots.',
  about: "With a world's base URL, only its snapshots are listed.",
  examples: ['mfano snapshot list', 'mfano snapshot list --world shop --json'],
  csv: () => ({ list: '/snapshots' }),
  ask: ({ control }) => control('GET', '/snapshots'),
  show: ({ snapshots }, output, given) =>
    snapshots.length === 0
      ? `No snapshots yet. Save one: ${hint('snapshot save before-payday', given)}\n`
      : table(snapshots, columns, output),
})

const save = serverCommand({
  name: 'save',
  words: '[NAME]',
  summary: 'Save a world as it is now.',
  flags: [
    { name: 'note', value: 'text', help: 'A note that the list shows.', expected: 'a text' },
    { name: 'replace', help: 'Replace the snapshot that has this name.' },
  ],
  examples: [
    'mfano snapshot save before-payday',
    "mfano snapshot save before-payday --replace --note 'all are paid but one'",
  ],
  ask: (server, given) =>
    server.within('for-ever').control('POST', '/snapshots', {
      body: { name: given.words[0], note: given.get('note'), ...(given.has('replace') && { replace: true }) },
    }),
  show: ({ name, world, now }, _, given) =>
    `Saved world ${world} at ${time(now)} as ${name}. Restore it: ${hint(`snapshot restore ${name}`, given)}\n`,
})

const restore = serverCommand({
  name: 'restore',
  words: 'NAME',
  summary: 'Restore a world from a snapshot.',
  about: 'Money, payments, time and due events are as they were.',
  examples: ['mfano snapshot restore before-payday', 'mfano snapshot restore before-payday --world shop'],
  ask: (server, { words: [name = ''] }) =>
    inItsZone(server, server.within('for-ever').control('POST', '/snapshots/:name/restore', { path: { name } })),
  show: ({ id, clock }) => `World ${id} is restored. Its clock shows ${time(clock.now)}.\n`,
})

const download = serverCommand({
  name: 'download',
  words: 'NAME [FILE]',
  names: [[], 'files'],
  summary: 'Save a snapshot to a file.',
  about: 'The file is NAME.mfano unless you give one. Create a world from it with mfano world upload.',
  flags: [{ name: 'replace', help: 'Overwrite the file.' }],
  examples: [
    'mfano snapshot download before-payday',
    'mfano snapshot download before-payday /tmp/payday.mfano --replace',
  ],
  ask: async (server, given, output) => {
    const [name = '', file = `${name}.mfano`] = given.words
    const { control } = server.within('for-ever')
    return saveTo(file, given, output, () => control.open('GET', '/snapshots/:name/file', { path: { name } }))
  },
  show: ({ file, bytes }) => `Wrote ${file} (${size(bytes)}).\n`,
})

const remove = serverCommand({
  name: 'delete',
  words: 'NAME',
  summary: 'Delete a snapshot. The world does not change.',
  examples: ['mfano snapshot delete before-payday --world shop'],
  ask: ({ control }, { words: [name = ''] }) => control('DELETE', '/snapshots/:name', { path: { name } }),
  show: ({ removed, world }) => `Snapshot ${removed} of world ${world} is deleted.\n`,
})

export const snapshotGroup: CommandGroup = { commands: [list, save, restore, download, remove], otherwise: 'list' }
