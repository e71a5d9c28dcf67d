import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { entries } from '../../../src/apps/cli/tree.ts'
import { freePort } from '../../../src/judge/app/free-port.ts'
import { useBench } from '../../support/harness.ts'
import { serving } from '../../support/listening.ts'
import { answer, command, folder } from './support.ts'

const bench = useBench()
afterEach(() => void vi.unstubAllEnvs())

it.each(entries)('explains $name, with examples', async ({ name, load }) => {
  const loaded = await load()
  for (const typed of [
    [name, '--help'],
    ['help', name],
  ])
    expect((await answer(typed)).out).toMatch(new RegExp(`\\nUsage: mfano \\[?${name}`))
  for (const one of 'commands' in loaded ? loaded.commands : []) {
    expect(one.examples.length, one.name).toBeGreaterThan(0)
    for (const example of one.examples) expect(example).toMatch(new RegExp(`\\bmfano ${name}\\b`))
  }
})

it('lists all commands with the exit codes', async () => {
  const help = await command(['help', '--all'])
  expect(help).toMatchObject({ code: 0, errors: '' })
  for (const { name } of entries) expect(help.out).toMatch(new RegExp(`^  ${name} `, 'm'))
  expect(help.out).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /)
  const first = await command(['help'])
  expect(first.out).toMatch(/\n {2}payment +.*[\s\S]*\nmfano help --all lists all commands\.\n/)
  expect(first.out).not.toContain('evidence')
  expect(await command(['--help'])).toEqual(first)
})

it.for<[typed: string, says: RegExp]>([
  ['wolrd list', /^mfano: Unknown command "wolrd"\..*\nmfano --help says how\.\n$/],
  ['help clokc', /Did you mean "clock"\?/],
  [
    'clock advnace 5m',
    /Unknown command "advnace"\. Known: .* Did you mean "advance"\?\nmfano clock --help says how\.\n$/,
  ],
  ['clock advance', /^mfano: DURATION\|TIME is missing\.\nmfano clock advance --help says how\.\n$/],
  ['clock advance 5x', /Expected a duration such as 90s, 5m or 2d, .* got "5x"\./],
  ['clock --jsno', /Unknown flag --jsno\. Did you mean "--json"\?/],
  ['clock set frosen', /MODE: expected realtime, scaled, frozen, got "frosen"\. Did you mean "frozen"\?/],
  ['clock set scaled --rate fast', /--rate: expected a number, got "fast"\./],
  ['clock --url localhost', /--url: expected an address such as http:\/\/localhost:8080, got "localhost"\./],
  ['clock --json=yes', /--json takes no value\./],
  ['clock show --world', /--world needs a value: the id of a world\./],
  ['version --url http://localhost:8080', /Unknown flag --url\./],
  ['--world shop version', /Unknown flag --world\./],
  ['--port 0 clock', /Unknown flag --port\.\nmfano clock show --help says how\.\n$/],
  ['payment --statsu FAILED list', /Unknown flag --statsu\. Did you mean "--status"\?\nmfano payment list --help/],
  ['payment --search show nosuch', /Unknown command "nosuch"\. Known: list, show/],
  ['-- clock', /Did not expect "clock"\./],
  ['payment collect', /^mfano: WAY and AMOUNT are missing\.\n/],
])('mfano %s is not understood', async ([typed, says]) => {
  const ran = await (typed.startsWith('-') ? command : answer)(typed.split(' '))
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.errors).toMatch(says)
})

it('tells all mistakes at once', async () => {
  const { code, errors } = await answer('explore app.yaml --seed x --jobs 0 --within soon --jsno --out'.split(' '))
  expect({ code, errors }).toEqual({
    code: 2,
    errors: `mfano: Unknown flag --jsno. Did you mean "--json"?
--within: expected a duration such as 90s, 5m, 1h30m or 2d, got "soon".
--seed: expected a whole number from 1, got "x".
--out needs a value: folder.
--jobs: expected a whole number from 1, got "0".
mfano explore --help says how.
`,
  })
})

it('tells a server that is not there from one that says no, and from one that is no mfano', async () => {
  expect(await command(['clock'], undefined, { MFANO_URL: 'http://127.0.0.1:1' })).toEqual({
    code: 3,
    out: '',
    // One of the ports that `fetch` never asks.
    errors: expect.stringMatching(/^mfano: Nobody answers at http:\/\/127\.0\.0\.1:1\. /),
  })
  const left = await freePort()
  expect(await command(['clock'], undefined, { MFANO_URL: `http://127.0.0.1:${left}` })).toEqual({
    code: 3,
    out: '',
    errors: `mfano: Nobody answers at http://127.0.0.1:${left}. Start one with "mfano start", or say where it is with --url or MFANO_URL.\n`,
  })
  const { baseUrl } = bench.simulator
  expect(await answer(['clock', '--url', baseUrl, '--world', 'shop'])).toEqual({
    code: 1,
    out: '',
    errors: expect.stringMatching(/^mfano: No such world: There is no world "shop"\. /),
  })
  const address = await serving((_, response) => response.writeHead(404).end('{"message":"Not found"}'))
  expect(await answer(['clock', '--url', address])).toEqual({
    code: 3,
    out: '',
    errors: `mfano: ${address} is no mfano. It answered 404 and no reason.\n`,
  })
})

it('prints one JSON document with --json, whatever happens', async () => {
  const { baseUrl } = bench.simulator
  for (const [typed, code, document] of [
    [['clock', '--json', '--url', baseUrl], 0, { mode: 'realtime', rate: 1 }],
    [['clock', '--json', '--url', `${baseUrl}/w/shop`], 1, { error: { code: 'WORLD_NOT_FOUND' } }],
    [['clock', 'advance', '--json'], 2, { error: { code: 'NOT_UNDERSTOOD' } }],
    [['wolrd', 'list', '--json'], 2, { error: { code: 'NOT_UNDERSTOOD' } }],
    [['clock', '--json', '--url', 'http://127.0.0.1:1'], 3, { error: { code: 'UNREACHABLE' } }],
    [['version', '--json'], 0, { mfano: expect.any(String), node: process.versions.node }],
  ] as const) {
    const ran = await answer([...typed])
    expect(ran.code, ran.errors).toBe(code)
    expect(JSON.parse(ran.out)).toMatchObject(document)
  }
})

it('asks the world of the environment, of the URL, and of the flag', async () => {
  const world = await bench.world({ clock: { mode: 'frozen', start: '2031-01-01T00:00:00' } })
  const { baseUrl } = bench.simulator
  for (const [typed, address] of [
    [['--url', world.baseUrl], undefined],
    [['--url', `${baseUrl}/`, '--world', world.id], undefined],
    [[], `${world.baseUrl}/`],
    [['--world', world.id], `${baseUrl}/w/other`],
  ] as const) {
    vi.stubEnv('MFANO_URL', address)
    const ran = await answer(['clock', ...typed])
    expect(ran.out).toMatch(/^1 Jan 2031, 00:00:00 UTC {2}Frozen\. .*\nNothing is due\.\n$/)
  }
})

it('takes its flags before, between and behind its words', async () => {
  const world = await bench.world({ id: 'flags' })
  await world.control('POST', '/collections/bank', { amount: 100 })
  const { baseUrl } = bench.simulator
  for (const typed of [
    '--url URL --world flags clock advance 5m',
    'clock --world flags advance --url URL 5m',
    'clock advance 5m --url=URL --world=flags',
  ])
    expect(await answer(typed.replace('URL', baseUrl).split(' '))).toMatchObject({ code: 0, errors: '' })
  expect((await answer(['clock', '--url', baseUrl, '--world', 'flags'])).out).toMatch(/^24 Jan 2025, 16:43:00 UTC /)
  for (const typed of [
    'payment --world flags',
    'payment --kind bank-collection --world flags',
    'payment --kind bank-collection list --world flags',
    '--kind bank-collection payment',
    '--status SUCCESS --json payment --kind bank-collection list',
    '--json payment list',
  ])
    expect((await answer([...typed.split(' '), '--url', world.baseUrl])).out).toContain('bank-collection')
})

it('takes the name of a command for what it is behind a flag: its value', async () => {
  const world = await bench.world()
  for (const typed of ['payment --search show', 'payment --search show list', '--search list payment list'])
    expect(await answer([...typed.split(' '), '--url', world.baseUrl])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No payments match\./),
    })
})

it('explains the command of the words, whatever flags are typed already', async () => {
  for (const typed of ['payment --status FAILED list --help', '-h payment list', 'help payment list --json'])
    expect((await answer(typed.split(' '))).out).toContain('\nUsage: mfano payment list [flags]\n')
  for (const typed of ['payment --help', '--json payment -h', 'payment help'])
    expect((await answer(typed.split(' '))).out).toContain('\nUsage: mfano payment <command> [flags]\n')
})

it('leaves what stands behind -- to whom it is for', async () => {
  const file = join(folder(), 'got.json')
  const script = 'const [file, ...rest] = process.argv.slice(1); fs.writeFileSync(file, JSON.stringify(rest))'
  const suite = [process.execPath, '-e', script, '--', file, '--json', '--help', 'help', '--']
  const typed = ['matrix', '--alone', '--json', '--', ...suite]
  const { code, out } = await answer(typed)
  // It asks its world nothing, so that there is no verdict.
  expect(code, out).toBe(2)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(['--json', '--help', 'help', '--'])
})

it('colours what a terminal shows, or what FORCE_COLOR asks for', async () => {
  const typed = ['clock', '--url', bench.simulator.baseUrl]
  const colour = '\u001b['
  expect((await command(typed, undefined, { NO_COLOR: '' })).out).not.toContain(colour)
  expect((await command(typed, undefined, { FORCE_COLOR: '1', NO_COLOR: '' })).out).toContain(colour)
})
