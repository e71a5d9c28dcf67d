import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { must } from '../../src/core/model/must.ts'
import { findChromium } from '../support/chromium.ts'
import { type Example, examples, readmeExamples } from '../support/examples.ts'
import { dailyCase } from '../support/night.ts'
import { installed, packed, userEnvironment } from '../support/packed.ts'
import { packageProblems } from './package-problems.ts'

// mfano/testing as others get it: in a folder that has nothing but the package, and the test runners that somebody
// chose. Every example of a runner's doc comments is run by that runner, as it stands there.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const chromium = findChromium()
const tool = (name: string) =>
  [join(root, 'test/node_modules', name), join(root, 'node_modules', name)].find(existsSync) as string
let folder: string

/** What is in a package, and why. */
const SHIPPED = [
  /^package\/(package\.json|README\.md|LICENSE)$/, // npm reads and shows them
  /^package\/bin\/[\w-]+\.js$/, // the command
  /^package\/bin\/(?:program|short-lived)\.cjs$/, // loads the program; preloaded into the Node apps that are judged
  /^package\/bin\/(?:completion\.(?:bash|fish|zsh)|new-scenario\.yaml)$/, // printed, and written, by commands
  /^package\/dist\/program\/[\w.-]+\.cjs$/, // the program
  /^package\/dist\/(testing\/)?[\w.-]+\.mjs$/, // the kits
  /^package\/dist\/(testing\/|types\/)?[\w-]+\.d\.ts$/, // types of each entry
  /^package\/dist\/LICENCES\.md$/, // what the licences of bundled libraries ask for
  /^package\/dist\/dashboard\//, // served to browsers
  /^package\/scenarios\/[\w.-]+\.(yaml|md|json)$/, // scenarios by name
  /^package\/dist\/docs\.json\.gz$/, // served as documentation
]

// Each starts processes, some of them a browser.
vi.setConfig({ testTimeout: 180_000 })

beforeAll(async () => {
  folder = await installed()
}, 300_000)

/** Runs Node in the folder; gives all that was said, however it ended. */
async function node(words: string[]): Promise<{ code: number; said: string }> {
  const env = { ...userEnvironment(), ...chromium?.env, NO_COLOR: '1', CI: '1' }
  return run(process.execPath, words, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  )
}

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return path
}

/** Puts a tool of ours into the folder, as if it had been installed there. */
function add(...names: string[]): void {
  for (const name of names) {
    if (existsSync(join(folder, 'node_modules', name))) continue
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(tool(name), join(folder, 'node_modules', name))
  }
}

/** An example as a module; most say nothing of their imports, because all have the same. */
function moduleOf({ code }: Example): string {
  if (/^import .* from 'mfano/m.test(code)) return code
  return `import assert from 'node:assert/strict'
import { connectMfano, mergeCoverage, MfanoError, ServiceError, startMfano, type StkCallback } from 'mfano/testing'
${code}
export { assert, connectMfano, mergeCoverage, MfanoError, ServiceError, startMfano, type StkCallback }\n`
}
const fileOf = ({ where }: Example) => where.replace(/[.:]/g, '-')

/** From the start to the first answer, and to an orderly end. */
async function startOnce(flags: string[] = [], env = userEnvironment()): Promise<void> {
  const words = [...flags, 'node_modules/mfano/bin/program.cjs', '--port=0', '--data=:memory:']
  const server = spawn(process.execPath, words, { cwd: folder, env })
  const [, baseUrl] = /base URL +(\S+)/.exec(String(await once(server.stdout, 'data'))) ?? []
  expect((await fetch(`${baseUrl}/_mfano/health`)).status).toBe(200)
  server.kill()
  await once(server, 'exit')
}

it('starts and answers without what only some requests need, and without the 5 MB that Intl takes', async () => {
  write(
    'told.cjs',
    "const fs = require('node:fs'), asked = []; globalThis.Intl = new Proxy(Intl, { get: (all, name) => { asked.push('Intl ' + String(name)); return all[name] } }); process.on('exit', () => fs.writeFileSync('loaded.txt', [...process.moduleLoadList, ...Object.keys(require.cache), ...asked].join()))",
  )
  // The first start reads the default scenario, and keeps what it holds.
  for (let start = 0; start < 2; start++) await startOnce(['--require', './told.cjs'])
  const loaded = readFileSync(join(folder, 'loaded.txt'), 'utf8').split(',')
  expect(loaded).toContain('NativeModule http')
  const late = ['internal/deps/undici/undici', 'http2', 'tls', 'crypto'].map((name) => `NativeModule ${name}`)
  expect(loaded.filter((name) => late.includes(name) || /node_modules.yaml|^Intl/.test(name))).toEqual([])
  expect(loaded).toContainEqual(expect.stringContaining('better-sqlite3'))
})

it('keeps the functions that a start compiled for the next one, and does without a file that is damaged', async () => {
  const start = () => startOnce([], { ...userEnvironment(), NODE_COMPILE_CACHE: join(folder, 'compiled') })
  await start()
  const place = join(folder, 'compiled', must(readdirSync(join(folder, 'compiled'))[0]))
  const kept = () => readdirSync(place).filter((name) => name.startsWith('start-'))
  const written = () => kept().map((name) => statSync(join(place, name), { bigint: true }).mtimeNs)
  const first = written()
  await start()
  expect(written()).toEqual(first)
  const file = join(place, must(kept().find((name) => name.endsWith('-run.cjs'))))
  writeFileSync(file, readFileSync(file).fill(7, 40, 400))
  const damaged = readFileSync(file)
  await start()
  expect(readFileSync(file).equals(damaged)).toBe(false)
})

it('loads a library late without a warning of Node', async () => {
  const words = ['node_modules/mfano/bin/mfano.js', 'scenario', 'show', 'default']
  expect(await run(process.execPath, words, { cwd: folder, env: userEnvironment() })).toMatchObject({ stderr: '' })
})

it('has entries that every kind of resolution finds, with types that are theirs', async () => {
  const tarball = await packed()
  const { problems, entries } = await packageProblems(tarball)
  expect(problems).toEqual([])
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(entries).toEqual(Object.keys(exports))
})

it('has what a run reads, a file of types for each entry with what they share, and the licences of what is inside', async () => {
  const { stdout } = await run('tar', ['tzf', await packed()])
  const files = stdout.trim().split('\n')
  const unexpected = files.filter((file) => !SHIPPED.some((one) => one.test(file)))
  expect(unexpected).toEqual([])
  expect(files.filter((file) => file.endsWith('.d.ts')).length).toBeLessThan(20)
  expect(readFileSync(join(folder, 'node_modules/mfano/dist/LICENCES.md'), 'utf8')).toMatch(/^## hono [\d.]+ \(MIT\)$/m)
})

it('installs nothing but what it loads on its own', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/mfano/package.json'), 'utf8'))
  const names = readdirSync(join(folder, 'node_modules'), { withFileTypes: true })
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(folder, 'node_modules', name)).map((one) => `${name}/${one}`) : [name],
    )
  // node-addon-api: better-sqlite3 would be compiled with it.
  expect(names.sort()).toEqual([...Object.keys(dependencies), 'mfano', 'node-addon-api'].sort())
})

it('runs in an empty folder, from ES modules and from CommonJS', async () => {
  const body = `const mfano = await startMfano()
    const world = await mfano.world()
    await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
    console.log(JSON.stringify(await world.clock.advance('1m')))
    await mfano.close()`
  const esm = await node([write('run.mjs', `import { startMfano } from 'mfano/testing'\n${body}`)])
  expect(esm).toMatchObject({ code: 0, said: expect.stringContaining('"steps":1') })
  const cjs = await node([
    write('run.cjs', `const { startMfano } = require('mfano/testing')\n;(async () => {${body}})()`),
  ])
  expect(cjs).toEqual(esm)
})

it('connects without loading a server, or anything of Node', async () => {
  const said = await node([
    write(
      'connect.mjs',
      `delete globalThis.process
      const { connectMfano } = await import('mfano/testing')
      const error = await connectMfano({ url: 'http://127.0.0.1:1' }).catch((error) => error)
      console.log(error.code)`,
    ),
  ])
  expect(said).toEqual({ code: 0, said: 'NO_ANSWER\n' })
})

describe('its types', () => {
  const check = async (files: string[], ...flags: string[]) => {
    const own = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom,esnext.disposable']
    return (await node([join(root, 'node_modules/typescript/bin/tsc'), ...own, ...flags, ...files])).said
  }

  it.each([
    ['node', ['--module', 'nodenext']],
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('hold without those of any other package, and know what a client may be called with, for %s', async (_, flags) => {
    const sample = write(
      'sample.mts',
      `import { connectMfano, ServiceError, type SendMoneyStatus } from 'mfano/testing'
      const world = await (await connectMfano({ url: 'http://localhost:8080' })).world()
      const client = await world.client()
      const till = { businessNumber: '1', amount: 1, remarks: 'a', occasion: 'b', callbackUrl: 'https://a.example' }
      const { data } = await client.createTillPayment(till)
      const status: 'PENDING' = data.status
      // @ts-expect-error: occasion and callbackUrl are needed for Kenyan shillings
      await client.createSendMoney({ phoneNumber: '254712345678', amount: 1, remarks: 'a' })
      const [message] = await world.inbox('a').messages<SendMoneyStatus>()
      const told: 'PENDING' | 'SUCCESS' | 'FAILED' | undefined = message?.body.status
      // @ts-expect-error: there is no such state
      await world.callback.list({ state: 'sent' })
      export { status, told, ServiceError }`,
    )
    expect(await check([sample], '--types', '', ...flags)).toBe('')
  })

  it('hold in every example', async () => {
    add('@types/node', 'vitest', '@jest/globals', '@playwright/test', 'testcontainers')
    const files = [...examples(), ...readmeExamples()].map((example) =>
      write(`examples/${fileOf(example)}.mts`, moduleOf(example)),
    )
    expect(files.length).toBeGreaterThan(15)
    expect(await check(files, '--module', 'nodenext', '--skipLibCheck', '--types', 'node')).toBe('')
  })
})

/** Timers that follow a world; `NAME`, `ENABLE` and `RESET` are the runner's. */
const JOINS = `
import assert from 'node:assert/strict'
import { test } from 'mfano/testing/NAME'
test('timers that are not faked yet', async ({ world }) => {
  const before = [setTimeout, Date]
  const joined = await world.clock.join()
  const heard = []
  setTimeout(() => heard.push(new Date().toISOString()), 90_000)
  await world.clock.advance('5m')
  await joined.leave()
  assert.deepEqual(heard, ['2025-01-24T16:29:30.000Z'])
  assert.deepEqual([setTimeout, Date], before)
})
`
const FAKED_JOINS = `
test('fake timers of the runner', async ({ world }) => {
  ENABLE
  const before = [setTimeout, Date]
  const joined = await world.clock.join()
  const heard = []
  const note = (what) => heard.push(new Date().toISOString().slice(11, 19) + ' ' + what)
  setTimeout(() => note('later'), 90_000)
  clearTimeout(setTimeout(() => note('never'), 80_000))
  const every = setInterval(() => note('again'), 60_000)
  await world.clock.advance('2m30s')
  clearInterval(every)
  await joined.leave()
  assert.deepEqual(heard, ['16:29:00 again', '16:29:30 later', '16:30:00 again'])
  assert.deepEqual([setTimeout, Date], before)
  assert.equal(new Date().toISOString(), '2025-01-24T16:30:30.000Z')
  RESET
  assert.notEqual(setTimeout, before[0])
})
`

const joinsOf = (name: string, enable: string, reset: string, head: string) =>
  head + JOINS.replace('NAME', name) + FAKED_JOINS.replace('ENABLE', enable).replace('RESET', reset)

const runners = [
  {
    name: 'vitest',
    tools: ['vitest'],
    files: 'test.ts',
    words: [tool('vitest/vitest.mjs'), 'run', '--root', '.'],
    passed: /Tests +(\d+) passed/,
    joins: joinsOf('vitest', 'vi.useFakeTimers()', 'vi.useRealTimers()', "import { vi } from 'vitest'"),
  },
  {
    name: 'node',
    tools: [],
    files: 'test.ts',
    words: ['--test'],
    passed: /pass (\d+)/,
    joins: JOINS.replace('NAME', 'node'),
  },
  {
    name: 'jest',
    tools: ['jest', '@jest/globals'],
    files: 'test.mjs',
    words: ['--experimental-vm-modules', tool('jest/bin/jest.js'), '--rootDir', '.', '--transform', '{}'],
    passed: /Tests: +(\d+) passed/,
    joins: joinsOf('jest', 'jest.useFakeTimers()', 'jest.useRealTimers()', "import { jest } from '@jest/globals'"),
  },
  {
    name: 'playwright',
    tools: ['@playwright/test'],
    files: 'spec.ts',
    words: [tool('@playwright/test/cli.js'), 'test', '--config', 'playwright.config.mjs'],
    passed: /(\d+) passed/,
    joins: '',
  },
]

describe.each(dailyCase(runners))('its fixture for $name', ({ name, tools, files, words, passed, joins }) => {
  beforeEach(({ skip }) => {
    if (name === 'playwright' && !chromium) skip('this machine has no Chromium, Chrome or Edge')
  })
  const toRun = (file: string, code: string) =>
    write(`${name}/${file}.${files}`, files.endsWith('.mjs') ? stripTypeScriptTypes(code) : code)

  beforeAll(() => {
    add(...tools)
    const launchOptions = { executablePath: chromium?.executablePath, args: ['--no-sandbox', '--disable-gpu'] }
    write('playwright.config.mjs', `export default ${JSON.stringify({ use: { launchOptions }, reporter: 'line' })}\n`)
  })

  it('does what its doc comments show, and has timers follow the world, in order, until they are put back', async () => {
    const shown = [...examples(), ...readmeExamples()].filter(
      ({ file, code }) => file === `${name}.ts` || (file === 'testing.md' && code.includes(`mfano/testing/${name}'`)),
    )
    const toDo = [
      ...shown.map((example) => toRun(fileOf(example), moduleOf(example))),
      ...(joins ? [toRun('joins', joins)] : []),
    ]
    const { code, said } = await node([...words, ...toDo])
    expect(code, said).toBe(0)
    const tests = [...shown.map((example) => example.code), joins].flatMap((text) => [...text.matchAll(/^ *test\(/gm)])
    expect(Number(passed.exec(said)?.[1]), said).toBe(tests.length)
  })

  it('gives every test a world of its own, and tells of one whose test failed', async () => {
    const file = toRun(
      'failing',
      `import { test } from 'mfano/testing/${name}'
      test('first', async ({ world }) => {
        await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
      })
      test('second', async ({ world }) => {
        await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 77 })
        await world.clock.advance('5m')
        throw new Error('this one fails')
      })`,
    )
    const { code, said } = await node([...words, file])
    expect(code).toBe(1)
    expect(said).toContain('this one fails')
    expect(said).toMatch(/mfano: in the world second it is 2025-01-24T16:33:00.000000Z \(frozen\).*; 1 payment, /)
    expect(said).toMatch(/stk .* KES 77.00: SUCCESS/)
    expect(said).not.toContain('KES 250.00')
  })
})
