import { basename } from 'node:path'
import type { ClockSetting, MadeWorld } from '../../client/control.ts'
import { ServiceCaller } from '../../client/service-client.ts'
import { errorOf } from '../../core/model/must.ts'
import { type Arguments, CommandFailed, type Flag, UsageError } from './command.ts'
import { type ByHand, nounGroup, operationCommand } from './declared-commands.ts'
import type { Output } from './output.ts'
import { instantValue, rateValue, readParameters, setFlag } from './typed-values.ts'
import { shellWord } from './words.ts'
import { fileToSend } from './world-files.ts'

const modes = ['realtime', 'scaled', 'frozen'] as const

const beginning: readonly Flag[] = [
  { name: 'scenario', value: 'name|file', help: 'The scenario: a shipped name or a file.', names: 'scenarios' },
  { ...setFlag, field: 'parameters' },
  { name: 'clock', value: 'mode', help: `The mode of the clock: ${modes.join(', ')}.`, choices: modes },
  {
    name: 'rate',
    value: 'number',
    help: 'World seconds per real second. Implies --clock scaled.',
    ...rateValue,
  },
  {
    name: 'start',
    value: 'time',
    help: "Start time, in the scenario's zone unless it names one.",
    ...instantValue,
  },
]

const create: ByHand<MadeWorld> = {
  summary: 'Create a world and print its base URL and key.',
  about: 'Its id is a free one unless you give one.',
  flags: [
    ...beginning,
    { name: 'export', help: 'Print shell commands that set its address, credentials and a token.' },
  ],
  examples: [
    'mfano world create shop --clock frozen --start 2025-01-24T16:28:00',
    'eval "$(mfano world create shop --clock frozen --export)"',
    'mfano world create --scenario month-end.yaml --set limit=5000 --seed 7',
    'mfano world create --assumptions drawn --seed 7',
    'mfano world create shop --record',
  ],
  ask: async ({ server, given, output, send }) => {
    const made = await send(await readBeginning(given))
    if (!given.has('export') || given.has('json')) return made
    output.out(await exportsOf(server.of(made.id).baseUrl, made.credentials, output))
    return undefined
  },
}

/**
 * Names that judges give an app, and `TOKEN`, which lasts five minutes of the world's time. A scenario may refuse tokens,
 * so then an earlier one is unset.
 */
async function exportsOf(
  baseUrl: string,
  credentials: { apiKey: string; apiSecret: string; companyId: string },
  output: Output,
): Promise<string> {
  const client = new ServiceCaller(baseUrl)
  await client.login(credentials).catch((error) => output.error(`No token: ${errorOf(error).message}`))
  const { apiKey, apiSecret, companyId } = credentials
  const values = {
    MFANO_URL: baseUrl,
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_KEY: apiKey,
    PAYMENTS_SECRET: apiSecret,
    PAYMENTS_COMPANY: companyId,
    TOKEN: client.token,
  }
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? `unset ${name}\n` : `export ${name}=${shellWord(value)}\n`))
    .join('')
}

const fork = operationCommand('world.create', {
  name: 'fork',
  words: 'FROM [ID]',
  fields: ['from', 'id'],
  summary: 'Copy a world or a snapshot into a new world.',
  about: 'FROM is a world, a snapshot of it, or WORLD/SNAPSHOT.',
  flags: beginning,
  examples: ['mfano world fork shop', 'mfano world fork shop/before-payday test-2 --scenario late-reversal'],
  ask: async ({ given, send }) => send(await readBeginning(given)),
})

const upload = operationCommand('world.upload', {
  words: 'FILE [ID]',
  fields: ['body', 'id'],
  names: ['files', []],
  summary: 'Create a world from a file.',
  about: 'The world takes the name of the file unless you give one. Its callbacks are paused until you resume them.',
  flags: [{ name: 'replace', help: 'Replace the world that has this id.' }],
  examples: ['mfano world upload shop.mfano', 'mfano world upload shop.mfano default --replace'],
  ask: async ({ server, given, send }) => {
    const [file = '', id = basename(file, '.mfano')] = given.words
    const { worlds } = await server.root.control('GET', '/worlds')
    if (worlds.some((world) => world.id === id) && !given.has('replace'))
      throw new CommandFailed(
        `World ${id} exists already. Nothing was changed.`,
        'Choose another id, or add --replace.',
      )
    return send({ id, body: fileToSend(file) })
  },
})

export const worldGroup = nounGroup('world', { create }, [fork, upload])

async function readBeginning(given: Arguments) {
  const [scenario, mode, start] = ['scenario', 'clock', 'start'].map(given.get)
  const rate = given.number('rate')
  if (rate !== undefined && (mode ?? 'scaled') !== 'scaled')
    throw new UsageError(`--rate is for time that is scaled, and --clock says ${mode}. Remove one of them.`)
  const parameters = readParameters(given)
  const sent =
    scenario === undefined ? undefined : (await import('./send-scenario.ts')).scenarioToSend(scenario, parameters)
  return {
    scenario: sent?.content,
    parameters: sent ? sent.parameters : parameters,
    ...([mode, rate, start].some((one) => one !== undefined) && {
      clock: { mode: (rate === undefined ? mode : 'scaled') as ClockSetting['mode'], rate, start },
    }),
  }
}
