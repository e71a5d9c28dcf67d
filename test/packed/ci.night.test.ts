/** What is shipped for CI: the shell of each is run against a mfano that answers, with a stand-in for what the CI gives. */

import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { commandHelp } from '../../src/apps/cli/help.ts'
import { startCommand } from '../../src/apps/cli/start/start-command.ts'
import { startMfano } from '../../src/apps/testing/index.ts'
import { freePort } from '../../src/judge/app/free-port.ts'
import { folder as newFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { isNight } from '../support/night.ts'
import { packed, userEnvironment } from '../support/packed.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const text = (file: string) => readFileSync(join(root, 'install', file), 'utf8')

vi.setConfig({ testTimeout: 300_000 })

/** A step of the action that runs a script of ours, as the runner reads it. */
interface Step {
  id?: string
  uses?: string
  run?: string
  env?: Record<string, string>
}
const { inputs, outputs, runs } = parse(text('ci/action/action.yml')) as {
  inputs: Record<string, { default?: string; required?: boolean }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

/** What a runner keeps for the steps of a job. */
class Job {
  readonly folder = newFolder()
  readonly #given: Record<string, string>

  constructor(given: Record<string, string>) {
    const defaults = Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value])
    this.#given = { ...Object.fromEntries(defaults), ...given }
    for (const file of ['output', 'summary']) writeFileSync(join(this.folder, file), '')
  }

  file(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  outputOf(name: string): string | undefined {
    return new RegExp(`^${name}=(.*)$`, 'm').exec(this.file('output'))?.[1]
  }

  /** Runs one step; gives its exit code and all that it said. */
  async step(at: number): Promise<{ code: number; said: string }> {
    const { run: script = '', env = {} } = runs.steps[at] as Step
    const filled = (value: string) =>
      value.replaceAll(/\$\{\{ (?:inputs|steps\.start\.outputs)\.([\w-]+) \}\}/g, (_, name: string) => {
        return this.#given[name] ?? this.outputOf(name) ?? ''
      })
    const runner = {
      GITHUB_ACTION_PATH: join(root, 'install/ci/action'),
      GITHUB_OUTPUT: join(this.folder, 'output'),
      GITHUB_STEP_SUMMARY: join(this.folder, 'summary'),
      GITHUB_JOB: 'test',
      RUNNER_TEMP: this.folder,
    }
    const told = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]))
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(script)]
    return run('bash', words, { cwd: this.folder, env: { ...userEnvironment(), ...runner, ...told } }).then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
    )
  }
}

describe('the GitHub action', () => {
  it('has inputs and outputs that are described, and steps that a runner knows', () => {
    expect(runs.using).toBe('composite')
    for (const one of [...Object.values(inputs), ...Object.values(outputs)]) expect(one).toHaveProperty('description')
    for (const { run: script, uses } of runs.steps) expect([script, uses].filter(Boolean)).toHaveLength(1)
    const used = [...text('ci/action/action.yml').matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name)
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)))
    const scripts = text('ci/action/start.sh') + text('ci/action/report.sh')
    for (const { env = {}, id } of runs.steps)
      if (id) for (const name of Object.keys(env)) expect(scripts).toContain(`$${name}`)
  })

  const PAYS = `TOKEN=$(curl -sf "$PAYMENTS_BASE_URL/api/v1/get-token" -H 'content-type: application/json' \\
      -d '{"apiKey":"'$PAYMENTS_API_KEY'","apiSecret":"'$PAYMENTS_API_SECRET'"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
    curl -sf "$PAYMENTS_BASE_URL/api/sandbox/v1/send-money" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
      -d '{"phoneNumber":"254712345678","amount":1000,"currencyCode":"KSH","remarks":"Salary","occasion":"January","referenceId":"salary-1","callbackUrl":"http://localhost:1/"}'`

  it('starts it, runs the tests, and leaves a summary, an annotation and evidence', async () => {
    const job = new Job({ run: PAYS, port: String(await freePort()), scenario: 'slow-rails' })
    expect(await job.step(0)).toMatchObject({ code: 0 })
    const url = job.outputOf('base-url')
    expect(await job.step(1)).toMatchObject({ code: 0, said: expect.stringContaining('"status":"PENDING"') })
    await fetch(`${url}/_mfano/worlds`, { method: 'POST', body: '{"id":"left"}' })
    const { code, said } = await job.step(2)
    expect(code, said).toBe(0)
    expect(said).toMatch(/^::notice title=mfano::\S/m)
    expect(job.outputOf('verdict')).toBe('unjudged')
    expect(job.file('summary')).toMatch(/^## mfano: test\n/)
    expect(job.file('summary')).toContain('slow-rails')
    const evidence = readdirSync(join(job.folder, 'mfano-evidence')).sort()
    const files = ['junit.xml', 'mfano.log', 'report.html', 'report.json', 'report.md', 'start.json', 'world-left.html']
    expect(evidence).toEqual(files)
    await expect.poll(() => fetch(`${url}/_mfano/health`).catch(() => 'gone')).toBe('gone')
  })

  it('fails the job where books and ledger differ', async () => {
    const wrong = `${PAYS}
      curl -sf "$PAYMENTS_BASE_URL/_mfano/clock/advance" -d '{"by":"1m"}'
      curl -sf "$PAYMENTS_BASE_URL/_mfano/reconcile" -d '{"books":[{"reference":"salary-1","status":"FAILED"}]}'`
    const job = new Job({ run: wrong, port: String(await freePort()) })
    expect(await job.step(0)).toMatchObject({ code: 0 })
    expect(await job.step(1)).toMatchObject({ code: 0 })
    const { code, said } = await job.step(2)
    expect(code, said).toBe(1)
    expect(said).toMatch(/^::error title=mfano::\S/m)
    expect(job.outputOf('verdict')).toBe('failed')
  })

  it('says why it did not start', async () => {
    const job = new Job({ run: 'true', port: String(await freePort()), scenario: 'slow-rials' })
    const { code, said } = await job.step(0)
    expect(code).toBe(1)
    expect(said).toMatch(/^::error title=mfano did not start::.*slow-rials.*slow-rails/m)
  })

  it('installs the tarball in the repository, as the workflow says', async () => {
    const { steps } = parse(text('ci/github-actions.yml')).jobs['with-the-action']
    const { uses, with: given } = steps.at(-1)
    expect(uses).toBe('./.github/actions/mfano')
    const job = new Job({ ...given, run: 'true', port: String(await freePort()) })
    mkdirSync(join(job.folder, 'vendor'))
    copyFileSync(await packed(), join(job.folder, 'vendor/mfano-0.1.0.tgz'))
    expect(await job.step(0)).toMatchObject({ code: 0 })
    expect(existsSync(join(job.folder, 'mfano/node_modules/mfano/dist/program'))).toBe(true)
    expect(await job.step(2)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^::notice title=mfano::➖ Nothing was tested/m),
    })
  })
})

it('the GitLab template waits, begins a run, and keeps its report', async (context) => {
  needs('curl', context)
  await using mfano = await startMfano()
  const job = parse(text('ci/mfano.gitlab-ci.yml'))['.mfano']
  const folder = newFolder()
  const env = { ...userEnvironment(), PAYMENTS_BASE_URL: mfano.url, CI_JOB_ID: '17' }
  const shell = (lines: string[]) => run('sh', ['-ec', lines.join('\n')], { cwd: folder, env })
  await shell(job.before_script)
  await shell(job.after_script)
  expect(readFileSync(join(folder, 'mfano.xml'), 'utf8')).toContain('<testsuites')
  expect(readFileSync(join(folder, job.artifacts.paths[0]), 'utf8')).toContain('job-17')
  expect(job.artifacts.reports.junit).toBe('mfano.xml')
})

it('the Dev Container feature installs the command', async () => {
  const feature = JSON.parse(text('ci/devcontainer/devcontainer-feature.json'))
  expect(feature.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  for (const [name, { type, default: value }] of Object.entries<Record<string, string>>(feature.options)) {
    expect([type, typeof value]).toEqual(['string', 'string'])
    expect(text('ci/devcontainer/install.sh')).toContain(`\${${name.toUpperCase()}:-${value}}`)
  }
  if (!isNight) return
  const prefix = newFolder()
  cpSync(join(root, 'install/ci/devcontainer'), join(prefix, 'feature'), { recursive: true })
  copyFileSync(await packed(), join(prefix, 'feature/mfano-0.1.0.tgz'))
  mkdirSync(join(prefix, 'bin'))
  const own = userEnvironment()
  const env = {
    ...own,
    npm_config_prefix: prefix,
    PATH: `${join(prefix, 'bin')}:${own['PATH']}`,
  }
  const { stdout } = await run('sh', [join(prefix, 'feature/install.sh')], { env })
  expect(stdout).toMatch(/mfano 0\.1\.0, Node\.js /)
  // The image installs in the same way.
  const image = text('ci/mfano.Dockerfile')
  expect(image).toContain('COPY vendor/mfano-*.tgz /\nRUN npm install --global --no-audit --no-fund /mfano-*.tgz\n')
  expect(image).toContain('ENTRYPOINT ["mfano"]')
})

describe.each([
  'compose.yaml',
  'mfano.compose.yaml',
  'github-actions.yml',
  'gitlab-ci.yml',
  'mfano.gitlab-ci.yml',
  'gauntlet.yml',
])('%s', (file) => {
  const written = text(`ci/${file}`)

  it('has nothing to fill in', () => {
    expect(written).not.toMatch(/OWNER|registry\.example|<[a-z]/)
  })

  it('names settings and a port that mfano has', () => {
    expect(parse(written)).toBeTypeOf('object')
    const help = commandHelp('mfano start', { ...startCommand, name: 'start', summary: '' })
    for (const [setting] of written.matchAll(/\bMFANO_(?!IMAGE)\w+/g)) expect(help).toContain(`${setting};`)
    const [, port] = /^EXPOSE (\d+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
    for (const [, given] of written.matchAll(/(?:mfano|localhost|127\.0\.0\.1):(\d+)/g)) expect(given).toBe(port)
  })

  it('runs commands that mfano has', async () => {
    for (const [, words = ''] of written.matchAll(/npx mfano (\w+)/g)) {
      const { stdout } = await run(process.execPath, ['bin/mfano.js', words, '--help'], { cwd: root })
      expect(stdout).toContain(`mfano ${words}`)
    }
  })
})

it('compose waits for a health check that is good when mfano is ready, and only then', async () => {
  await using mfano = await startMfano()
  const { include, services } = parse(text('ci/compose.yaml'))
  expect(services.tests.depends_on).toEqual({ mfano: { condition: 'service_healthy' } })
  const { dockerfile } = parse(text(`ci/${include[0]}`)).services.mfano.build
  const [, command = ''] = /^ {2}CMD (\[.*\])$/m.exec(text(`ci/${dockerfile}`)) ?? []
  const [program, ...words]: string[] = JSON.parse(command)
  expect(program).toBe('node')
  const check = (port: string) =>
    run(
      process.execPath,
      words.map((word: string) => word.replace('8080', port)),
    )
  await check(new URL(mfano.url).port)
  await expect(check('1')).rejects.toMatchObject({ code: 1 })
})
