import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandHelp } from '../../src/apps/cli/help.ts'
import { readSettings, startCommand } from '../../src/apps/cli/start/start-command.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { type RunningSimulator, startSimulator } from '../../src/hosts/node/simulator.ts'
import { assumptions } from '../../src/service/assumed/assumptions.ts'
import { paymentsService } from '../../src/service/service.ts'
import { needs } from '../support/needs.ts'

// Every command that the README and the pages of documentation show is run here, as it stands there, against a simulator
// on another port.

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** In the order in which the README leads to them. */
const pages = Array.from(readme.matchAll(/\((src\/docs\/[\w-]+\.md)\)/g), ([, path = '']) =>
  readFileSync(join(root, path), 'utf8'),
)
const all = [readme, ...pages].join('\n')
const blocks = (language: string) =>
  [...all.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] as string)

/** Commands that need what a test has not: a fresh clone, or a container engine. Each says who runs it instead. */
const elsewhere: Record<string, string> = {
  'npm ci && npm test': '.ci/run',
  'docker build -t mfano .': 'needs a container engine',
  'docker run -p 8080:8080 -v mfano-data:/data mfano': 'needs a container engine',
}
const starts = ['npm ci && npm start', 'npm start -- --scenario bank-name-mismatch', 'npm start -- start --help']

const commands = [
  ...new Set(
    blocks('sh')
      .flatMap((block) => block.replaceAll(/\\\n/g, '').split(/\n(?=[a-zA-Z])/))
      .map((command) => command.trim()),
  ),
]
let simulator: RunningSimulator

beforeAll(async () => {
  const { settings } = readSettings(['--port', '0', '--data', ':memory:', '--log', 'off'], {})
  if (!settings) throw new Error('the settings are wrong')
  simulator = await startSimulator(settings, silentLog)
})
afterAll(() => simulator.close())

/** What is typed, for the simulator of this test. What npm itself does at `npm start` is seen below. */
function here(line: string): string {
  const address = `127.0.0.1:${simulator.port}`
  return line.replaceAll('localhost:8080', address).replace(/^npm start --/, `'${process.execPath}' bin/mfano.js`)
}

/** One shell for all, because `TOKEN` is set in one block and used in the next. Gone when `signal` says so. */
async function runAll(
  lines: string[],
  signal: AbortSignal,
): Promise<{ command: string; output: string; code: string }[]> {
  const script = lines.map((line) => `${here(line)}\necho "\u0001$?\u0002"`).join('\n')
  const output = await new Promise<string>((resolve, reject) =>
    execFile('bash', ['-c', script], { cwd: root, signal }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )
  const parts = output.split('\u0002\n')
  return lines.map((command, i) => {
    const [text = '', code = ''] = (parts[i] ?? '').split('\u0001')
    return { command, output: text, code }
  })
}

it('shows commands that work, in the order in which they stand', { timeout: 180_000 }, async (context) => {
  needs('curl', context)
  const runnable = commands.filter((command) => !(command in elsewhere) && !starts.includes(command))
  expect(runnable.length).toBeGreaterThanOrEqual(15)
  const results = await runAll(runnable, context.signal)
  for (const { command, output, code } of results) {
    expect(code, command).toBe('0')
    expect(output, command).not.toMatch(/^\{"(?:error|errorCode|message)"/)
  }
  const find = (part: string) => JSON.parse(results.find(({ command }) => command.includes(part))?.output ?? 'null')
  expect(find('/send-money -H')).toMatchObject({
    status: 201,
    message: 'Success',
    data: { amount: 1000, phoneNumber: '254712345678', status: 'PENDING' },
  })
  expect(find('referenceId=salary-1').payments).toMatchObject([
    { referenceId: 'salary-1', rule: 'the payout succeeds' },
  ])
  expect(find('scenario/lint')).toMatchObject({ valid: true })
  expect(find('"id": "test-1"')).toMatchObject({ id: 'test-1', credentials: { apiKey: 'mfano-key' } })
})

it('names every command that is run elsewhere', () => {
  for (const command of [...Object.keys(elsewhere), ...starts]) expect(commands).toContain(command)
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/npm ci[\s\S]*npm run test:all/)
})

describe('npm start', () => {
  it.each(starts)('%s', async (command) => {
    const [program = '', ...given] = command.replace('npm ci && ', '').split(' ')
    const help = given.includes('--help')
    const separator = given.includes('--') ? [] : ['--']
    const child = spawn(
      program,
      [...given, ...separator, ...(help ? [] : ['--port', '0', '--data', ':memory:', '--log', 'json'])],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = new Promise((resolve) => child.on('close', resolve))
    for await (const line of createInterface(child.stdout)) {
      if (help && line.includes('--admin-token')) break
      if (!line.startsWith('{"event":"ready"')) continue
      const ready = JSON.parse(line)
      expect((await fetch(`${ready.baseUrl}/_mfano/health`)).status).toBe(200)
      expect(ready.scenario).toBe(given.includes('--scenario') ? 'bank-name-mismatch' : 'default')
      break
    }
    child.kill('SIGTERM')
    await ended
  })
})

it('has an example scenario that loads, and a compose file that reads', () => {
  const shown = blocks('yaml')
  const [scenario = '', compose = ''] = ['name: month-end', 'services:'].map((start) =>
    shown.find((one) => one.startsWith(start)),
  )
  expect(scenarioLibrary(paymentsService).parse(scenario)).toMatchObject({ name: 'month-end', seed: 7 })
  const rules = shown.filter((one) => one.startsWith('rules:'))
  expect(rules.length).toBeGreaterThan(0)
  for (const one of rules)
    scenarioLibrary(paymentsService).parse(`name: shown\ndescription: As a page shows it.\n${one}`)
  expect(parse(compose).services.mfano).toMatchObject({ ports: ['8080:8080'], volumes: ['mfano-data:/data'] })
})

it('names settings, scenarios and assumptions that exist', () => {
  const help = commandHelp('mfano start', startCommand)
  for (const [, flag = '', env = ''] of all.matchAll(/^\| `(--[\w-]+)` \| `(\w+)`/gm)) {
    expect(help).toContain(flag)
    expect(help).toContain(env)
  }
  const catalogue = readFileSync(join(root, 'scenarios/README.md'), 'utf8')
  for (const name of shippedScenarios()) expect(catalogue).toContain(`| [${name}](#${name}) |`)
  for (const [, id] of all.matchAll(/assumptions: \{ ([\w-]+):/g)) expect(Object.keys(assumptions)).toContain(id)
})
