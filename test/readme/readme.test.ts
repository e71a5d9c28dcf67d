import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandHelp } from '../../src/apps/cli/help.ts'
import { startCommand } from '../../src/apps/cli/start/start-command.ts'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { assumptions } from '../../src/service/assumptions/assumptions.ts'
import { readDocument } from '../support/examples.ts'
import { needs } from '../support/needs.ts'
import { blocksOf, commandsOf } from './blocks.ts'
import { all, elsewhere, folder, root, runPage, shown, startedSimulator, starts } from './pages.ts'

// The commands of the README are run here, those of the pages of documentation in pages.long.test.ts.

const blocks = (language: string) => blocksOf(all, language).map(({ text }) => text)
const commands = blocksOf(all, 'sh').flatMap(commandsOf)

it('shows commands that work, and what they print', { timeout: 180_000 }, (context) => {
  const readme = shown.find(({ path }) => path === 'README.md')
  if (!readme) throw new Error('the README shows no command')
  return runPage(readme, context)
})

it('shows commands on enough pages', () => {
  expect(shown.length).toBeGreaterThan(12)
})

it('names every command that is run elsewhere', () => {
  for (const command of Object.keys(elsewhere)) expect(commands).toContain(command)
  expect(starts).toContain('npm ci && npm start')
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/npm ci[\s\S]*npm run test:ci/)
  expect(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')).toMatch(/- run: \.ci\/run\n/)
})

describe('npm start', () => {
  it.each(starts)('%s', async (command) => {
    const [program = '', ...given] = command.replace('npm ci && ', '').split(' ')
    const help = given.includes('--help')
    const separator = given.includes('--') ? [] : ['--']
    const child = spawn(
      program,
      [...given, ...separator, ...(help ? [] : ['--port', '0', '--data', ':memory:', '--json'])],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = new Promise((resolve) => child.on('close', resolve))
    for await (const line of createInterface(child.stdout)) {
      if (help && line.includes('--admin-token')) break
      if (!line.startsWith('{"event":"ready"')) continue
      const ready = JSON.parse(line)
      expect((await fetch(`${ready.baseUrl}/_mfano/health`)).status).toBe(200)
      expect(ready.scenario).toBe(/--scenario (\S+)/.exec(command)?.[1] ?? 'default')
      break
    }
    child.kill('SIGTERM')
    await ended
  })
})

it('has an example scenario that loads, and a compose file that reads', () => {
  const shown = blocks('yaml')
  const scenarios = shown.filter((one) => one.startsWith('name: ') && !one.includes('extends: ./'))
  const loaded = scenarios.map((one) => scenarioLibrary().parse(one))
  expect(loaded).toContainEqual(expect.objectContaining({ name: 'month-end', seed: 7 }))
  const compose = shown.find((one) => one.startsWith('services:')) ?? ''
  const rules = shown.filter((one) => /^(?:rules|faults):/.test(one))
  expect(rules.length).toBeGreaterThan(0)
  for (const one of rules) scenarioLibrary().parse(`name: shown\ndescription: As a page shows it.\n${one}`)
  expect(parse(compose).services.mfano).toMatchObject({ ports: ['127.0.0.1:8080:8080'], volumes: ['mfano-data:/data'] })
})

it('names settings, scenarios and assumptions that exist', () => {
  const help = commandHelp('mfano start', { ...startCommand, name: 'start', summary: '' })
  for (const [, flag = '', env = ''] of all.matchAll(/^\| `(--[\w-]+)` \| `(\w+)`/gm)) {
    expect(help).toContain(flag)
    expect(help).toContain(env)
  }
  const catalogue = readDocument(root, 'src/docs/catalogue.md')
  for (const name of shippedScenarios()) expect(catalogue).toContain(`| [${name}](#${name}) |`)
  for (const [, id] of all.matchAll(/assumptions: \{ ([\w-]+):/g))
    expect(['others', ...Object.keys(assumptions)]).toContain(id)
})

const suites = {
  python: 'python/tests/test_payroll.py',
  java: 'java/src/test/java/example/PayrollTest.java',
  go: 'go/example/payroll_test.go',
  php: 'php/tests/payroll_test.php',
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
