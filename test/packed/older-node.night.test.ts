/** The package and a clone in programs that do not run mfano: each says so in a sentence, or gets a Node that does. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, it, vi } from 'vitest'
import { dayOrNight, isNight } from '../support/night.ts'
import { installed, sources, userEnvironment } from '../support/packed.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const programs = [
  ['20.20.2', `node-${system}@20.20.2`, 'bin/node'],
  ['22.12.0', `node-${system}@22.12.0`, 'bin/node'],
  ['Bun 1.3.0', `@oven/bun-${system.replace('arm64', 'aarch64')}@1.3.0`, 'bin/bun'],
] as const

// Each installs something.
vi.setConfig({ testTimeout: 300_000 })

let folder: string
beforeAll(async () => {
  folder = await installed()
}, 300_000)

async function fetched(name: string, file: string): Promise<string> {
  const place = mkdtempSync(join(inject('packed'), 'program-'))
  writeFileSync(join(place, 'package.json'), '{"private":true}')
  await run('npm', ['install', name, '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: place,
    env: userEnvironment(),
  })
  return join(place, 'node_modules', name.slice(0, name.lastIndexOf('@')), file)
}

const asked = (file: string, ...words: string[]) =>
  run(file, words, { cwd: folder, env: { ...userEnvironment(dirname(file)), NO_COLOR: '1' } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

it.each(programs.slice(0, dayOrNight(1, programs.length)))(
  'in %s the command and the kits say what they need',
  async (version, name, file) => {
    const program = await fetched(name, file)
    const sentence = `mfano needs Node.js 22.19, 24 or newer, and this is ${version} (`

    const entry = join(folder, 'node_modules/mfano/bin/mfano.js')
    const command = await asked(program, entry, 'payments', 'list', '--where', "amount > 5 && note == 'a'")
    expect(command).toMatchObject({ code: 1, stdout: '' })
    expect(command.stderr).toContain(sentence)
    // What it says to type has what was typed, as a shell reads it.
    const typed = `npx node@24 node_modules/mfano/bin/mfano.js payments list --where 'amount > 5 && note == '\\''a'\\'''`
    expect(command.stderr.trim().split(': ').at(-1)).toBe(typed)

    for (const code of [
      "const { startMfano } = await import('mfano/testing'); await startMfano()",
      `const { openLog, readSettings, startSimulator } = await import('mfano')
     const { settings } = readSettings([], { PORT: '0', MFANO_DATA: ':memory:' })
     await startSimulator(settings, await openLog(settings))`,
    ]) {
      writeFileSync(join(folder, 'start.mjs'), `try { ${code} } catch (error) { console.log(error.message) }`)
      const { stdout, stderr } = await asked(program, 'start.mjs')
      expect(stdout + stderr).toContain(sentence)
    }

    writeFileSync(join(folder, 'app.mjs'), "console.log('it ran')")
    const preload = version.startsWith('Bun') ? '--preload' : '--import'
    const app = await asked(program, preload, 'mfano/clock', './app.mjs')
    expect(app).toMatchObject({ code: 2, stdout: '' })
    expect(app.stderr).toContain(`mfano/clock: ${sentence}`)

    writeFileSync(join(folder, 'fixture.test.mjs'), "import { test } from 'mfano/testing/node'\ntest('pays', () => {})")
    const tested = await asked(program, ...(version.startsWith('Bun') ? ['test'] : ['--test']), './fixture.test.mjs')
    expect(tested.stdout + tested.stderr).toContain(sentence)
  },
)

// CI has a clone hand over to a newer Node, where its machine has an older one.
if (isNight)
  it('a clone hands a newer Node all that the older one was given, and nothing warns of it', async () => {
    const [, name, file] = programs[0]
    const older = await fetched(name, file)
    const clone = mkdtempSync(join(inject('packed'), 'older-'))
    for (const source of [...sources, '.npmrc']) cpSync(join(root, source), join(clone, source), { recursive: true })
    const env = userEnvironment(dirname(older))
    const { stderr } = await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone, env })
    expect(stderr).not.toContain('EBADENGINE')
    expect(existsSync(join(clone, 'node_modules/.newer-node'))).toBe(true)

    const tell = 'data:text/javascript,console.error(process.versions.node, process.execArgv.join())'
    const flags = ['--stack-trace-limit=7', `--import=${tell}`]
    const { stdout, stderr: told } = await run(older, [...flags, 'bin/mfano.js', 'version'], { cwd: clone, env })
    expect(stdout).toMatch(/^mfano 0\.1\.0, Node\.js 24\./)
    const [first, second] = told.trim().split('\n')
    expect(first).toBe(`20.20.2 ${flags.join()}`)
    expect(second).toMatch(/^24\.\S+ --stack-trace-limit=7,--import=data:/)
  })

it('asks nobody to review a script that does nothing in a package', async () => {
  const place = mkdtempSync(join(inject('packed'), 'reviewed-'))
  writeFileSync(join(place, 'package.json'), '{"private":true}')
  const words = ['install', join(inject('packed'), 'package/mfano.tgz'), '--prefer-offline', '--no-audit', '--no-fund']
  const { stdout, stderr } = await run('npm', words, { cwd: place, env: userEnvironment() })
  expect(stdout + stderr).not.toMatch(/install scripts|install-scripts/)
})
