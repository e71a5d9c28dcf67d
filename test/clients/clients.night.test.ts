/**
 * The clients for other languages, run as they stand where the machine has the language: against a mfano of this process,
 * as in CI, and with one that the client starts. No container is started.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Mfano, startMfano } from '../../src/apps/testing/index.ts'
import { answer } from '../apps/cli/support.ts'
import { needs } from '../support/needs.ts'
import { dayOrNight } from '../support/night.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
let mfano: Mfano
/** One where no payout arrives, so that the tests of a client fail. */
let failing: Mfano
let made: string

// Each starts processes, some of them a compiler.
vi.setConfig({ testTimeout: 180_000 })

beforeAll(async () => {
  mfano = await startMfano()
  made = mkdtempSync(join(tmpdir(), 'mfano-clients-'))
  cpSync(join(root, 'clients'), join(made, 'clients'), { recursive: true })
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

/** How the suite of a client is run in its folder, and what it says when all is well. */
interface Suite {
  client: string
  program: string
  words: readonly string[]
  passed: RegExp
}

async function outputOf({ client, program, words }: Suite, more: Record<string, string>): Promise<string> {
  const { PAYMENTS_BASE_URL: _, ...own } = process.env
  const env = { ...own, PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod', GOCACHE: join(made, 'go-cache'), ...more }
  const { stdout, stderr } = await run(program, words, { cwd: join(made, 'clients', client), env })
  return stdout + stderr
}

async function worldsLeft({ url } = mfano): Promise<string[]> {
  const { worlds } = await (await fetch(`${url}/_mfano/worlds`)).json()
  return worlds.map(({ id }: { id: string }) => id)
}

async function holds(suite: Suite): Promise<void> {
  expect(await outputOf(suite, { PAYMENTS_BASE_URL: mfano.url })).toMatch(suite.passed)
  expect(await worldsLeft()).toEqual(['default'])

  // The program that it starts is gone with the suite: test/support/left-behind.ts looks.
  const command = `${process.execPath} ${join(root, 'bin/mfano.js')}`
  expect(await outputOf(suite, { PAYMENTS_COMMAND: command })).toMatch(suite.passed)

  // A world for each test, below the world that a judge gives to the suite.
  const { client, program, words } = suite
  if (dayOrNight(client === 'python', true)) {
    const inFolder = ['sh', '-c', 'cd "$0" && exec "$@"', join(made, 'clients', client), program, ...words]
    const judged = await answer(['matrix', '--json', '--assumption', 'list-order', '--', ...inFolder])
    expect(JSON.parse(judged.out).defaults, judged.errors).toMatchObject({ verdict: 'green' })
  }

  // Whoever reads the output of a test that failed reads what happened in its world.
  const told = await outputOf(suite, { PAYMENTS_BASE_URL: failing.url }).catch(({ stdout, stderr }) => stdout + stderr)
  expect(told).toMatch(/mfano: in the world w\d+ it is [\s\S]*send-money .*: FAILED\n[\s\S]*"it fails" decided/)
  expect(await worldsLeft(failing)).toEqual(['default'])
}

it('Python', async (context) => {
  needs('python3', context)
  const words = ['-W', 'error', '-m', 'unittest', 'discover', 'tests']
  await holds({ client: 'python', program: 'python3', words, passed: /Ran 4 tests[\s\S]*OK/ })
})

const WITH_A_FIXTURE = `
import pytest
from mfano import ask

def pay(world):
    keys = {key: world.credentials[key] for key in ("apiKey", "apiSecret")}
    token = ask("POST", f"{world.base_url}/api/v1/get-token", keys)["data"]["access_token"]
    body = {"phoneNumber": "254712345678", "amount": 10, "remarks": "a", "occasion": "b", "callbackUrl": world.inbox("a").url}
    ask("POST", f"{world.base_url}/api/sandbox/v1/send-money", body, {"authorization": f"Bearer {token}"})
    world.advance("10s")
    return [message["body"]["status"] for message in world.inbox("a").messages()]

def test_it_arrives(world):
    assert pay(world) == ["SUCCESS"]

@pytest.mark.world(scenario="stuck-pending")
def test_it_is_stuck(world):
    assert pay(world) == []
`

it('Python under pytest, by test cases and by a fixture', async (context) => {
  needs('python3', context)
  if (!(await run('python3', ['-m', 'pytest', '--version']).catch(() => undefined)))
    context.skip('this machine has no pytest for Python')
  writeFileSync(join(made, 'clients/python/fixture_test.py'), WITH_A_FIXTURE)
  const options = ['-p', 'no:cacheprovider', '-p', 'mfano.pytest_plugin']
  const words = ['-W', 'error', '-m', 'pytest', ...options, 'tests/test_payroll.py', 'fixture_test.py']
  const told = await outputOf(
    { client: 'python', program: 'python3', words, passed: /./ },
    { PAYMENTS_BASE_URL: mfano.url },
  )
  expect(told).toMatch(/ [56] passed/)
  const red = await outputOf(
    { client: 'python', program: 'python3', words, passed: /./ },
    { PAYMENTS_BASE_URL: failing.url },
  ).catch(({ stdout, stderr }) => stdout + stderr)
  expect(red).toMatch(/Captured stderr call[\s\S]*"it fails" decided[\s\S]*- mfano -[\s\S]*"it fails" decided/)
  expect(await worldsLeft(failing)).toEqual(['default'])
})

it('Python, with its own clock in the time of a world', async (context) => {
  needs('python3', context)
  const hasLibrary = await run('python3', ['-c', 'import time_machine']).then(
    () => true,
    () => false,
  )
  if (!hasLibrary) context.skip('this machine has no time-machine for Python')
  const one = ['-m', 'unittest', 'tests.test_payroll.PayrollTest.test_a_token_is_kept_while_it_lasts']
  const suite = { client: 'python', program: 'python3', words: one, passed: /OK/ }
  expect(await outputOf(suite, { PAYMENTS_BASE_URL: mfano.url })).toMatch(/Ran 1 test [\s\S]*OK\n$/)
})

it('Java', async (context) => {
  needs('javac', context)
  const java = join(made, 'clients/java')
  cpSync(join(import.meta.dirname, 'java-stand-ins'), join(java, 'stand-ins'), { recursive: true })
  const sources = readdirSync(java, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.java'))
  const classes = join(made, 'java')
  await run('javac', ['--release', '17', '-Werror', '-d', classes, ...sources], { cwd: java })
  const words = ['-cp', classes, 'Run', 'example.PayrollTest']
  await holds({ client: 'java', program: 'java', words, passed: /^4 passed$/m })
})

it('Go', async (context) => {
  needs('go', context)
  const words = ['test', '-count=1', '-v', './...']
  await holds({ client: 'go', program: 'go', words, passed: /(?:--- PASS[\s\S]*){4,5}ok/ })
})

it('PHP', async (context) => {
  needs('php', context)
  await holds({ client: 'php', program: 'php', words: ['tests/payroll_test.php'], passed: /(?:^ok .*\n){4}$/m })
})

it('each says which version it is of, as the package does', () => {
  const text = (file: string) => readFileSync(join(root, 'clients', file), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(text('python/pyproject.toml')).toContain(`\nversion = "${version}"\n`)
  expect(text('java/pom.xml')).toContain(`<artifactId>mfano</artifactId>\n  <version>${version}</version>`)
})

it('is listed', () => {
  const listed = readFileSync(join(root, 'clients/README.md'), 'utf8')
  const folders = readdirSync(join(root, 'clients'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) expect(listed).toContain(`[${name}](${name})`)
})
