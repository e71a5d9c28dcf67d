/** The commands `mfano world …`. */
import { basename } from 'node:path'
import type { ControlAnswer } from '../../client/control.ts'
import type { ClockSetting, MadeWorld } from '../../client/control-answers.ts'
import { UTC } from '../../core/model/calendar.ts'
import { type Arguments, CommandFailed, type CommandGroup, type Flag, UsageError } from './command.ts'
import { heldText } from './held-text.ts'
import type { Output } from './output.ts'
import { inItsZone, type Server, serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { instantValue, rateValue, readParameters, seedValue, setFlag } from './typed-values.ts'
import { factLines, size, time } from './words.ts'
import { fileToSend, saveTo } from './world-files.ts'

const modes = ['realtime', 'scaled', 'frozen'] as const

/** One that cannot be read has a problem instead of the rest. */
type Listed = ControlAnswer<'GET', '/worlds'>['worlds'][number]

/** Other worlds may have other zones: their clocks are compared in UTC. */
const columns: readonly TableColumn<Listed>[] = [
  { title: 'WORLD', of: ({ id }) => id },
  { title: 'SCENARIO', of: ({ scenario, problem }) => scenario ?? problem ?? null, least: 12 },
  { title: 'CLOCK', of: ({ clock }) => (clock?.mode === 'scaled' ? `x${clock.rate}` : (clock?.mode ?? null)) },
  { title: 'NOW', of: ({ clock }) => (clock ? time(clock.now, UTC) : '-'), spare: 2 },
  { title: 'SEED', of: ({ seed }) => seed ?? null, right: true, spare: 3 },
  { title: 'BASE URL', of: ({ baseUrl }) => baseUrl, spare: 1 },
]

/** Where several processes share an address. */
const processColumn: TableColumn<Listed> = { title: 'PROCESS', of: ({ process }) => process, spare: 4 }

const list = serverCommand({
  name: 'list',
  summary: 'Lists the worlds of a server.',
  examples: ['mfano world list', "mfano world list --json | jq -r '.worlds[].id'"],
  csv: () => ({ list: '/worlds', of: 'root' }),
  ask: ({ root }) => root.control('GET', '/worlds'),
  show: ({ worlds, unanswered }, output) =>
    table(worlds, worlds.some((one) => one.process !== null) ? [...columns, processColumn] : columns, output) +
    unanswered.map(({ address, problem }) => `Worlds of the process at ${address} are missing: ${problem}.\n`).join(''),
})

const beginning: readonly Flag[] = [
  { name: 'scenario', value: 'name|file', help: 'Its scenario: a shipped name or a file.', names: 'scenarios' },
  setFlag,
  {
    name: 'seed',
    value: 'number',
    help: 'Where its chance comes from.',
    ...seedValue,
  },
  {
    name: 'assumptions',
    value: 'drawn',
    help: 'Draw every assumption that the scenario leaves open by the seed.',
    choices: ['drawn'],
  },
  { name: 'clock', value: 'mode', help: `How its time goes: ${modes.join(', ')}.`, choices: modes },
  {
    name: 'rate',
    value: 'number',
    help: 'World seconds in a real second; time is scaled then.',
    ...rateValue,
  },
  {
    name: 'start',
    value: 'time',
    help: 'When it begins, in the time zone of its scenario unless it has its own.',
    ...instantValue,
  },
  { name: 'record', help: 'Keep what comes to it, in its order, for a capsule.' },
]

const create = serverCommand({
  name: 'create',
  words: '[ID]',
  summary: 'Makes a world, and prints its base URL and its key.',
  flags: beginning,
  examples: [
    'mfano world create shop --clock frozen --start 2025-01-24T16:28:00',
    'mfano world create --scenario month-end.yaml --set limit=5000 --seed 7',
    'mfano world create --assumptions drawn --seed 7',
    'mfano world create shop --record',
  ],
  ask: async (server, given) => {
    const [id] = given.words
    const body = { id, ...(await readBeginning(given)) }
    return inItsZone(server, placeOf(server, id).control('POST', '/worlds', { body }))
  },
  show: (world, { paint }) => inFull(world, paint),
})

const fork = serverCommand({
  name: 'fork',
  words: 'FROM [ID]',
  names: ['worlds', []],
  summary: 'Makes a world that goes on from another one, or from a snapshot: its name, or WORLD/NAME.',
  flags: beginning.filter(({ name }) => !['seed', 'assumptions', 'start'].includes(name)),
  examples: ['mfano world fork shop', 'mfano world fork shop/before-payday test-2 --scenario late-reversal'],
  ask: async (server, given) => {
    const [from, id] = given.words
    const body = { from, id, ...(await readBeginning(given)) }
    return inItsZone(server, server.root.within('for-ever').control('POST', '/worlds', { body }))
  },
  show: (world, { paint }) => inFull(world, paint),
})

const download = serverCommand({
  name: 'download',
  words: '[ID] [FILE]',
  names: ['worlds', 'files'],
  summary: 'Writes a world to a file, ID.mfano unless said: its money, payments, time, and what is due.',
  flags: [{ name: 'replace', help: 'Overwrite the file.' }],
  examples: ['mfano world download', 'mfano world download shop /tmp/shop.mfano --replace'],
  ask: (server, given, output) => {
    const [id = server.world, file = `${id}.mfano`] = given.words
    const { control } = placeOf(server, id).within('for-ever')
    return saveTo(file, given, output, () => control.open('GET', '/worlds/:id/file', { path: { id } }))
  },
  show: ({ file, bytes }) => `${file} is written, ${size(bytes)}.\n`,
})

const upload = serverCommand({
  name: 'upload',
  words: 'FILE [ID]',
  names: ['files', 'worlds'],
  summary:
    'Makes a world of a file, called as the file unless said. Callbacks for addresses in it are held until you say where they go.',
  flags: [
    { name: 'replace', help: 'A world of that id gives way.' },
    {
      name: 'callbacks',
      value: 'hold|as-they-are|FROM=TO',
      help: 'Where its callbacks go: nowhere yet, where they were to go, or from one address to another, by scheme, host and port. Default: hold.',
      expected: 'hold, as-they-are or FROM=TO',
      many: true,
    },
  ],
  examples: [
    'mfano world upload shop.mfano',
    'mfano world upload shop.mfano default --replace',
    'mfano world upload shop.mfano --callbacks https://shop.example=http://localhost:3000',
  ],
  ask: async (server, given, output) => {
    const [file = '', id = basename(file, '.mfano')] = given.words
    const { worlds } = await server.root.control('GET', '/worlds')
    if (worlds.some((world) => world.id === id) && !given.has('replace'))
      throw new CommandFailed(
        `There is a world ${id} already, and it stays as it is.`,
        'Choose another id, or say --replace.',
      )
    const body = fileToSend(file, output)
    const said = given.all('callbacks')
    const query = said.length === 0 ? {} : { callbacks: said.join(',') }
    const place = placeOf(server, id).within('for-ever')
    return inItsZone(server, place.control('PUT', '/worlds/:id/file', { path: { id }, query, body }))
  },
  show: (world, { paint }, given) =>
    inFull(world, paint) +
    heldText(world.callbacks, { get: (flag) => (flag === 'world' ? world.id : given.get(flag)) }),
})

const reset = serverCommand({
  name: 'reset',
  words: '[ID]',
  names: ['worlds'],
  summary: 'Empties a world: back to how it began, with the scenario of now.',
  examples: ['mfano world reset', 'mfano world reset shop'],
  ask: (server, { words: [id] }) => (id === undefined ? server : server.of(id)).control('POST', '/reset'),
  show: ({ id, clock }) => `The world ${id} is empty, and it is ${time(clock.now)} there.\n`,
})

const remove = serverCommand({
  name: 'delete',
  words: 'ID',
  names: ['worlds'],
  summary: 'Removes a world with everything in it.',
  examples: ['mfano world delete shop'],
  ask: (server, { words: [id = ''] }) => placeOf(server, id).control('DELETE', '/worlds/:id', { path: { id } }),
  show: ({ removed }) => `The world ${removed} is gone.\n`,
})

/** `mfano world …`. */
export const worldGroup: CommandGroup = {
  commands: [list, create, fork, reset, download, upload, remove],
  otherwise: 'list',
}

/** Where a world is made, fetched and removed: at its own address, which leads to the process that has it. */
function placeOf(server: Server, id: string | undefined): Server {
  return id === undefined ? server.root : server.of(id)
}

/** How a new world begins, as far as it was said. */
async function readBeginning(given: Arguments) {
  const [scenario, mode, start] = ['scenario', 'clock', 'start'].map(given.get)
  const rate = given.number('rate')
  if (rate !== undefined && (mode ?? 'scaled') !== 'scaled')
    throw new UsageError(`--rate is for time that is scaled, and --clock says ${mode}. Remove one of them.`)
  const parameters = readParameters(given)
  const sent =
    scenario === undefined
      ? undefined
      : (await import('./send-scenario.ts')).scenarioToSend(await given.service(), scenario, parameters)
  return {
    scenario: sent?.content,
    parameters: sent ? sent.parameters : parameters,
    record: given.has('record') || undefined,
    seed: given.number('seed'),
    assumptions: given.has('assumptions') ? ('drawn' as const) : undefined,
    ...([mode, rate, start].some((one) => one !== undefined) && {
      clock: { mode: (rate === undefined ? mode : 'scaled') as ClockSetting['mode'], rate, start },
    }),
  }
}

/** One that is made anew, or read from a file. */
type Shown = Pick<MadeWorld, 'id' | 'baseUrl' | 'scenario' | 'seed' | 'clock' | 'credentials'>

function inFull({ id, baseUrl, scenario, seed, clock, credentials }: Shown, paint: Output['paint']): string {
  return factLines(
    [
      ['world', id],
      ['base URL', baseUrl],
      ['apiKey', credentials.apiKey],
      ['apiSecret', credentials.apiSecret],
      ['companyId', credentials.companyId],
      ['scenario', scenario],
      ['seed', seed],
      ['clock', `${time(clock.now)}, ${clock.mode}`],
    ],
    paint,
  )
}
