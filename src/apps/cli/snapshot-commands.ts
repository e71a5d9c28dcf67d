/** The commands `mfano snapshot …`. */
import type { ControlAnswer } from '../../client/control.ts'
import type { CommandGroup } from './command.ts'
import { inItsZone, serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { hint, size, time } from './words.ts'
import { saveTo } from './world-files.ts'

/** A snapshot as lists show it. One whose file cannot be read has a problem instead. */
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
  summary: 'Lists the snapshots of a world; at the base URL of a server those of all its worlds.',
  examples: ['mfano snapshot list', 'mfano snapshot list --world shop --json'],
  csv: () => ({ list: '/snapshots' }),
  ask: ({ control }) => control('GET', '/snapshots'),
  show: ({ snapshots }, output, given) =>
    snapshots.length === 0
      ? `No snapshots yet. Save the world as it is now: ${hint('snapshot save before-payday', given)}\n`
      : table(snapshots, columns, output),
})

const save = serverCommand({
  name: 'save',
  words: '[NAME]',
  summary: 'Saves a world as it is at this moment.',
  flags: [
    { name: 'note', value: 'text', help: 'For those who read the list.', expected: 'a text' },
    { name: 'replace', help: 'One of that name gives way.' },
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
    `The world ${world} of ${time(now)} is saved as ${name}. Go back to it: ${hint(`snapshot restore ${name}`, given)}\n`,
})

const restore = serverCommand({
  name: 'restore',
  words: 'NAME',
  names: ['snapshots'],
  summary: 'Takes a world back to a snapshot: money, payments, time, and what is due.',
  examples: ['mfano snapshot restore before-payday', 'mfano snapshot restore before-payday --world shop'],
  ask: (server, { words: [name = ''] }) =>
    inItsZone(server, server.within('for-ever').control('POST', '/snapshots/:name/restore', { path: { name } })),
  show: ({ id, clock }) => `The world ${id} is as it was; it is ${time(clock.now)} there.\n`,
})

const download = serverCommand({
  name: 'download',
  words: 'NAME [FILE]',
  names: ['snapshots', 'files'],
  summary: 'Writes a snapshot to a file, NAME.mfano unless said; mfano world upload makes a world of it.',
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
  show: ({ file, bytes }) => `${file} is written, ${size(bytes)}.\n`,
})

const remove = serverCommand({
  name: 'delete',
  words: 'NAME',
  names: ['snapshots'],
  summary: 'Removes a snapshot; the world stays as it is.',
  examples: ['mfano snapshot delete before-payday --world shop'],
  ask: ({ control }, { words: [name = ''] }) => control('DELETE', '/snapshots/:name', { path: { name } }),
  show: ({ removed, world }) => `The snapshot ${removed} of the world ${world} is gone.\n`,
})

/** `mfano snapshot …`. */
export const snapshotGroup: CommandGroup = { commands: [list, save, restore, download, remove], otherwise: 'list' }
