import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { commandHelp } from '../../src/apps/cli/help.ts'
import { startCommand } from '../../src/apps/cli/start/start-command.ts'
import { type Mfano, startMfano } from '../../src/apps/testing/index.ts'
import { needs } from '../support/needs.ts'

// The recipes for other languages, run as they stand against a mfano of this process, where the machine has the
// language. No container is started: each recipe takes the mfano at PAYMENTS_BASE_URL instead, as in CI.

const run = promisify(execFile)
const recipe = (...path: string[]) => join(import.meta.dirname, ...path)
const root = join(import.meta.dirname, '../..')
let mfano: Mfano
/** One where no payout arrives, so that the tests of a recipe fail. */
let failing: Mfano
let made: string

// Each starts processes, some of them a compiler.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(async () => {
  mfano = await startMfano()
  made = mkdtempSync(join(tmpdir(), 'mfano-recipes-'))
  writeFileSync(join(made, 'everything-fails.yaml'), EVERYTHING_FAILS)
  failing = await startMfano({ scenario: join(made, 'everything-fails.yaml') })
})
afterAll(async () => {
  rmSync(made, { recursive: true })
  await mfano.close()
  await failing.close()
})

const EVERYTHING_FAILS = `
name: everything-fails
description: No payout arrives.
rules: [{ name: it fails, on: send-money, then: { after: 1s, end: FAILED } }]
`

async function outputOf(tool: string, words: string[], folder: string, { url } = mfano): Promise<string> {
  const env = { ...process.env, PAYMENTS_BASE_URL: url, PYTHONDONTWRITEBYTECODE: '1', GOCACHE: join(made, 'go') }
  const { stdout, stderr } = await run(tool, words, { cwd: folder, env })
  return stdout + stderr
}

/** Whoever reads the output of a test that failed reads what happened in its world. */
async function tellsWhy(tool: string, words: string[], folder: string): Promise<void> {
  const output = await outputOf(tool, words, folder, failing).catch(({ stdout, stderr }) => stdout + stderr)
  expect(output).toMatch(/mfano: in the world w\d+ it is [\s\S]*send-money .*: FAILED\n[\s\S]*"it fails" decided/)
  expect(await worldsLeft(failing)).toEqual(['default'])
}

/** Every recipe removes the worlds that it makes. */
async function worldsLeft({ url } = mfano): Promise<string[]> {
  const { worlds } = await (await fetch(`${url}/_mfano/worlds`)).json()
  return worlds.map(({ id }: { id: string }) => id)
}

it('Python', async (context) => {
  needs('python3', context)
  expect(await outputOf('python3', ['-m', 'unittest'], recipe('python'))).toMatch(/Ran 3 tests[\s\S]*OK/)
  expect(await worldsLeft()).toEqual(['default'])
  await tellsWhy('python3', ['-m', 'unittest'], recipe('python'))
})

it('Python, with its own clock in the time of a world', async (context) => {
  needs('python3', context)
  const hasLibrary = await run('python3', ['-c', 'import time_machine']).then(
    () => true,
    () => false,
  )
  if (!hasLibrary) context.skip('this machine has no time-machine for Python')
  const one = 'test_payroll.PayrollTest.test_a_token_is_kept_while_it_lasts'
  expect(await outputOf('python3', ['-m', 'unittest', one], recipe('python'))).toMatch(/Ran 1 test [\s\S]*OK\n$/)
})

it('Java', async (context) => {
  needs('javac', context)
  const sources = readdirSync(recipe('java'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.java$/.test(file),
  )
  const classes = join(made, 'java')
  await run('javac', ['--release', '17', '-Werror', '-d', classes, ...sources], { cwd: recipe('java') })
  expect(await outputOf('java', ['-cp', classes, 'Run', 'example.PayrollTest'], recipe('java'))).toBe('3 passed\n')
  expect(await worldsLeft()).toEqual(['default'])
  await tellsWhy('java', ['-cp', classes, 'Run', 'example.PayrollTest'], recipe('java'))
})

it('Go', async (context) => {
  needs('go', context)
  expect(await outputOf('go', ['test', '-count=1', '-v', '.'], recipe('go'))).toMatch(/(?:--- PASS[\s\S]*){3,4}ok/)
  expect(await worldsLeft()).toEqual(['default'])
  await tellsWhy('go', ['test', '-count=1', '.'], recipe('go'))
})

it('PHP', async (context) => {
  needs('php', context)
  expect(await outputOf('php', ['payroll_test.php'], recipe('php'))).toMatch(/(?:^ok .*\n){3}$/m)
  expect(await worldsLeft()).toEqual(['default'])
  await tellsWhy('php', ['payroll_test.php'], recipe('php'))
})

describe('CI', () => {
  const text = (file: string) => readFileSync(recipe('ci', file), 'utf8')
  const files = ['compose.yaml', 'github-actions.yml', 'gitlab-ci.yml']

  it.each(files)('%s names settings, a port and paths that mfano has', async (file) => {
    expect(parse(text(file))).toBeTypeOf('object')
    const help = commandHelp('mfano start', startCommand)
    const settings = [...text(file).matchAll(/\bMFANO_\w+/g)].map(String)
    expect(settings).toContain('MFANO_CALLBACK_HOST')
    for (const setting of settings) expect(help).toContain(`${setting};`)
    const [, port] = /^EXPOSE (\d+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
    for (const [, given] of text(file).matchAll(/(?:mfano|localhost|127\.0\.0\.1):(\d+)/g)) expect(given).toBe(port)
    for (const [path] of text(file).matchAll(/\/_mfano\/[\w/]+/g))
      expect((await fetch(mfano.url + path)).status).toBe(200)
  })

  it.each(files)('%s runs commands that mfano has', async (file) => {
    for (const [, words = ''] of text(file).matchAll(/npx mfano (.*)$/gm)) {
      const command = `${process.execPath} src/apps/cli.ts ${words}`
      await expect(run('sh', ['-c', command], { cwd: root }), command).resolves.toBeDefined()
    }
  })

  it('has a health check that is good when mfano is ready, and only then', async () => {
    const [, program = '', ...words] = parse(text('compose.yaml')).services.mfano.healthcheck.test
    expect(program).toBe('node')
    const check = (port: string) =>
      run(
        process.execPath,
        words.map((word: string) => word.replace('8080', port)),
      )
    await check(new URL(mfano.url).port)
    await expect(check('1')).rejects.toMatchObject({ code: 1 })
  })
})

it('is listed', () => {
  const listed = readFileSync(recipe('README.md'), 'utf8')
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) expect(listed).toContain(`[${name}](${name})`)
})
