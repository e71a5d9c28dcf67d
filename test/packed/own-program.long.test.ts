/** What a clone starts: its sources, bundled, and bundled again when one of them has changed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mfano-clone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['bin', 'install', 'scenarios', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const bundlesOf = (folder: string) =>
  readdirSync(join(folder, 'dist/clone')).filter((name) => name.startsWith('bundle-'))

async function version(folder: string): Promise<{ stdout: string; stderr: string }> {
  return await run(process.execPath, [join(folder, 'bin/mfano.js'), 'version']).catch((error) => error)
}

it('bundles once, again after a change, and keeps what a running program may still load', async () => {
  const folder = clone()
  expect((await version(folder)).stdout).toMatch(/^mfano \d/)
  const [first] = bundlesOf(folder)
  await version(folder)
  expect(bundlesOf(folder)).toEqual([first])

  appendFileSync(join(folder, 'src/apps/cli/main.ts'), "\nprocess.on('exit', () => process.stdout.write('changed'))\n")
  expect((await version(folder)).stdout).toMatch(/^mfano \d.*changed$/s)
  expect(bundlesOf(folder)).toContain(first)
  expect(bundlesOf(folder)).toHaveLength(2)
})

it('bundles no import of a module of Node, which would be loaded whole', async () => {
  const folder = clone()
  await version(folder)
  const bundle = join(folder, 'dist/clone', bundlesOf(folder)[0] ?? '')
  const chunks = readdirSync(bundle).filter((name) => name.endsWith('.mjs'))
  const textOf = (name: string) => readFileSync(join(bundle, name), 'utf8')
  expect(chunks.filter((name) => /^import\b[^;]*"node:[^"]*";$/m.test(textOf(name)))).toEqual([])
  expect(chunks.filter((name) => textOf(name).includes('getBuiltinModule?.("node:fs")')).length).toBeGreaterThan(9)
})

it('loads few files at a start, each of which takes time', async () => {
  const folder = clone()
  await version(folder)
  const counting = `import { registerHooks } from 'node:module'
    let files = 0
    registerHooks({ load: (url, context, next) => (url.includes('/dist/clone/') && files++, next(url, context)) })
    process.on('exit', () => process.stderr.write(String(files)))`
  const options = ['--import', `data:text/javascript,${encodeURIComponent(counting)}`, join(folder, 'bin/mfano.js')]
  const child = spawn(process.execPath, [...options, '--port', '0', '--data', ':memory:', '--log', 'off'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const files = Number(await text(child.stderr))
  expect(files).toBeGreaterThan(1)
  expect(files).toBeLessThan(40)
})

it('runs the sources where they cannot be bundled, and says why', async () => {
  const folder = clone()
  await rm(join(folder, 'install/build-program.ts'))
  const { stdout, stderr } = await version(folder)
  expect(stdout).toMatch(/^mfano \d/)
  expect(stderr).toMatch(/could not be bundled: .*build-program\.ts/)
})

it('says what of the sources cannot be bundled, and where', async () => {
  const folder = clone()
  appendFileSync(join(folder, 'src/apps/cli/version-command.ts'), 'const x = ;\n')
  expect((await version(folder)).stderr).toMatch(
    /could not be bundled: Unexpected token \(src\/apps\/cli\/version-command\.ts:\d+:\d+\)$/m,
  )
})
