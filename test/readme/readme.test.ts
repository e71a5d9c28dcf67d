import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandHelp } from '../../src/apps/cli/help.ts'
import { readSettings, startCommand } from '../../src/apps/cli/start/start-command.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import { assumptions } from '../../src/service/assumed/assumptions.ts'
import { paymentsService } from '../../src/service/service.ts'
import { needs } from '../support/needs.ts'
import { blocksOf, commandsOf, printedAs } from './blocks.ts'

// Every command that the README and the pages of documentation show is run here, as it stands there, against a simulator
// on another port: one for each page, and one shell. A block of text or JSON right behind commands is what they print.

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/docs')
const isPage = (name: string) => name.endsWith('.md')
const pages = [
  'README.md',
  ...readdirSync(folder)
    .filter(isPage)
    .map((name) => `src/docs/${name}`),
].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))
const all = pages.map(({ text }) => text).join('\n')

/** Commands that need what a test has not: a fresh clone, or a container engine. Each says who runs it instead. */
const elsewhere: Record<string, string> = {
  'npm ci && npm test': '.ci/run',
  'docker build -t mfano .': 'needs a container engine',
  'docker run -p 8080:8080 -v mfano-data:/data mfano': 'needs a container engine',
}
const starts = ['npm ci && npm start', 'npm start -- --scenario bank-name-mismatch', 'npm start -- start --help']

const blocks = (language: string) => blocksOf(all, language).map(({ text }) => text)
const isRunHere = (command: string) => !(command in elsewhere) && !starts.includes(command)
const commands = blocksOf(all, 'sh').flatMap(commandsOf)

/** One shell for a page, because `TOKEN` is set in one block and used in the next. Gone when `signal` says so. */
async function runAll(lines: string[], address: string, signal: AbortSignal) {
  const program = `'${process.execPath}' bin/mfano.js`
  const here = (line: string) => line.replaceAll('localhost:8080', address).replace(/^npm start --/, program)
  const script = [
    `mfano() { ${program} "$@"; }`,
    `export MFANO_URL=http://${address}`,
    ...lines.map((line) => `${here(line)}\necho "\u0001$?\u0002"`),
  ].join('\n')
  const output = await new Promise<string>((resolve, reject) =>
    execFile('bash', ['-c', script], { cwd: root, signal }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )
  const parts = output.split('\u0002\n')
  return lines.map((command, i) => {
    const [text = '', code = ''] = (parts[i] ?? '').split('\u0001')
    return { command, output: text.replaceAll(address, 'localhost:8080'), code }
  })
}

function startedSimulator() {
  const { settings } = readSettings(['--port', '0', '--data', ':memory:', '--log', 'off'], {})
  if (!settings) throw new Error('the settings are wrong')
  return startSimulator(settings, silentLog)
}

/** What readers of other pages have done: a token, and the first payment. */
const firstPayment = blocksOf(pages[0]?.text ?? '', 'sh')
  .flatMap(commandsOf)
  .filter((command) => /get-token|\/send-money/.test(command))

const shown = pages.filter(({ text }) => blocksOf(text, 'sh').flatMap(commandsOf).some(isRunHere))

it('shows commands on enough pages', () => {
  expect(shown.length).toBeGreaterThan(12)
})

it.for(shown)(
  '$path shows commands that work, and what they print',
  { timeout: 180_000 },
  async ({ text }, context) => {
    needs('curl', context)
    const simulator = await startedSimulator()
    try {
      const parts = blocksOf(text, 'sh').map((block) => ({ ...block, lines: commandsOf(block).filter(isRunHere) }))
      const own = parts.flatMap(({ lines }) => lines)
      const before = own.some((command) => command.includes('get-token')) ? [] : firstPayment
      const results = await runAll([...before, ...own], `127.0.0.1:${simulator.port}`, context.signal)
      results.splice(0, before.length)
      for (const { lines, printed } of parts) {
        const done = results.splice(0, lines.length)
        for (const { command, output, code } of done) {
          expect(code, command).toBe('0')
          if (!printed?.text.includes('"error"'))
            expect(output, command).not.toMatch(/^\{"(?:error|errorCode|message)"/)
        }
        if (printed === undefined || lines.length === 0) continue
        const { actual, pattern } = printedAs(printed, done.map(({ output }) => output).join('\n'))
        expect(actual, lines.join('\n')).toMatch(pattern)
      }
    } finally {
      await simulator.close()
    }
  },
)

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
  const scenarios = shown.filter((one) => one.startsWith('name: ') && !one.includes('extends: ./'))
  const loaded = scenarios.map((one) => scenarioLibrary(paymentsService).parse(one))
  expect(loaded).toContainEqual(expect.objectContaining({ name: 'month-end', seed: 7 }))
  const compose = shown.find((one) => one.startsWith('services:')) ?? ''
  const rules = shown.filter((one) => /^(?:rules|faults):/.test(one))
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

const suites = {
  python: 'python/tests/test_payroll.py',
  java: 'java/src/test/java/example/PayrollTest.java',
  go: 'go/example/payroll_test.go',
  php: 'php/tests/payroll_test.php',
  csharp: 'dotnet/PayrollTests.cs',
}

it.each(Object.entries(suites))('shows a test in %s as the suite of its client has it', (language, path) => {
  const suite = readFileSync(join(root, 'clients', path), 'utf8')
  const [shown = ''] = blocksOf(readFileSync(join(folder, 'testing.md'), 'utf8'), language).map(({ text }) => text)
  expect(shown.split('\n').filter((line) => !suite.includes(line))).toEqual([])
})

it('shows Python that runs without any package', { timeout: 60_000 }, async (context) => {
  needs('python3', context)
  const [code = ''] = blocksOf(all, 'python').flatMap(({ text }) => (text.startsWith('import json\n') ? [text] : []))
  const simulator = await startedSimulator()
  try {
    const program = code.replaceAll('localhost:8080', `127.0.0.1:${simulator.port}`)
    await promisify(execFile)('python3', ['-c', program], { signal: context.signal })
  } finally {
    await simulator.close()
  }
})
