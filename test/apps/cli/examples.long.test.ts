import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type CliCommand, commandOf } from '../../../src/apps/cli/command.ts'
import { toldOperations } from '../../../src/apps/cli/operations.gen.ts'
import { entries } from '../../../src/apps/cli/tree.ts'
import { useBench } from '../../support/harness.ts'
import { answer, folder, words } from './support.ts'

// Every example in the help of a command works when it is pasted.

const bench = useBench()

/** These run until they are stopped, run an app, or ask what is not on this machine. */
const apart = new Set(
  'start exec events listen mcp doctor gauntlet explore reproduce prove mutants matrix replay evidence record calibrate certificate'.split(
    ' ',
  ),
)
/** What a shell does with an example, or a server that is elsewhere. */
const SHELL = /[|>*]|\$\(|<\(|https?:\/\/(?!localhost:8080)/

/** Their examples are made, with words such as NAME. */
const made = toldOperations
  .filter(({ screen }) => !screen?.examples)
  .map(({ id }) => ['mfano', ...commandOf(id)].join(' '))

const all = await Promise.all(
  entries.map(async ({ name, load }) => {
    const found = await load()
    const commands: readonly CliCommand[] = 'commands' in found ? found.commands : [found]
    return apart.has(name) ? [] : commands.flatMap(({ examples }) => examples)
  }),
)

const own = all.flat().filter((line) => !made.some((name) => `${line} `.startsWith(`${name} `)))

it.each(own.filter((line) => !SHELL.test(line)))('%s', { timeout: 60_000 }, async (line) => {
  const world = await bench.world({ id: 'shop', scenario: 'handset' })
  for (const id of ['payday', 'test-1', 'before']) await bench.world({ id })
  const callbackUrl = `${world.baseUrl}/_mfano/inbox/hello`
  for (const referenceId of ['salary-1', 'salary-2', 'salary-3']) await bench.pay(world, { referenceId, callbackUrl })
  if (!line.includes('resolve')) await world.advance('5s')
  await world.control('POST', '/collections/stk', { amount: 500, phoneNumber: '254712345678' })
  await world.control('POST', '/runs', { name: 'payday' })
  if (!/snapshot save \S+$/.test(line)) await world.control('POST', '/snapshots', { name: 'before-payday' })
  if (line.includes('create shop')) bench.simulator.worlds.remove('shop')
  const typed = words(line.replace(/^mfano /, '').replace('http://localhost:8080', bench.simulator.baseUrl))
  const before = process.cwd()
  process.chdir(files(line))
  process.env['MFANO_URL'] = line.includes('--url') || line.includes('create') ? bench.simulator.baseUrl : world.baseUrl
  try {
    if (line.includes('upload')) await answer(['world', 'download', 'shop'])
    if (line.includes('upload') && !line.includes('--replace')) bench.simulator.worlds.remove('shop')
    if (line.includes('coverage/')) await answer(['coverage', '--out', 'coverage/a.json'])
    const ran = await answer(typed)
    expect(ran, ran.errors).toMatchObject({ errors: '' })
    // A verdict may be no, but every word is understood and a server answers.
    expect(ran.code).toBeLessThan(2)
  } finally {
    process.chdir(before)
    delete process.env['MFANO_URL']
  }
})

/** The files that an example names. */
function files(line: string): string {
  const scenario = 'name: month-end\ndescription: Mine.\nextends: default\nparameters: { limit: { default: 10 } }\n'
  const directory = folder({
    ...(!line.includes('scenario new') && {
      'month-end.yaml': `${scenario}rules:\n  - { name: late, on: till, then: { after: 1h, end: FAILED } }\n`,
    }),
    'request.json': '{"amount":100}',
    'books.json': '[]',
    'books.csv': 'reference,requestId,kind,amount,currency,status\n',
  })
  mkdirSync(join(directory, 'coverage'))
  return directory
}
