/** Every way in which people install mfano: each has the command and the dashboard afterwards, and fetches no second Node. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import { needs } from '../support/needs.ts'
import { dayOrNight, isNight } from '../support/night.ts'
import { packed, sources, userEnvironment } from '../support/packed.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

// Each installs, and most build.
vi.setConfig({ testTimeout: 300_000 })

let tarball: string
beforeAll(async () => {
  tarball = await packed()
}, 300_000)

/** A folder that is gone with its test: all of them together would take a while at the end of the run. */
function newFolder(name: string): string {
  const folder = mkdtempSync(join(inject('packed'), `${name}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function emptyFolder(): string {
  const folder = newFolder('way')
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  return folder
}

/** What a clone has. */
function clone(): string {
  const folder = newFolder('clone')
  for (const name of sources) cpSync(join(root, name), join(folder, name), { recursive: true })
  return folder
}

async function npm(folder: string, ...words: string[]): Promise<void> {
  const quick = ['--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', [...words, ...quick], { cwd: folder, env: userEnvironment() })
  expect(existsSync(join(folder, 'node_modules/.newer-node'))).toBe(false)
}

/** Starts it by a command that is given its flags; answers once the dashboard has been seen. */
async function showsTheDashboard(folder: string, ...command: [program: string, ...words: string[]]): Promise<void> {
  const [program, ...words] = [...command, '--port', '0', '--data', ':memory:', '--json']
  const child = spawn(program, words, { cwd: folder, env: userEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const { baseUrl } = JSON.parse(line.value as string)
  const page = await fetch(`${baseUrl}/_mfano/`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  const [script] = /app\/[^"]+\.js/.exec(await page.text()) ?? []
  expect((await fetch(`${baseUrl}/_mfano/${script}`)).status).toBe(200)
  child.kill('SIGTERM')
  await once(child, 'close')
}

if (isNight)
  it('npm i git+file://…', async (context) => {
    needs('git', context)
    const repository = clone()
    const git = (...words: string[]) => execFileSync('git', words, { cwd: repository })
    const author = ['-c', 'user.name=mfano', '-c', 'user.email=mfano@example.com']
    git('init', '--quiet')
    git('add', '.')
    git(...author, 'commit', '--quiet', '--message', 'All of it')
    const folder = emptyFolder()
    await npm(folder, 'install', `git+${pathToFileURL(repository)}`)
    await showsTheDashboard(folder, 'npx', 'mfano')
    const types = join(folder, 'node_modules/mfano/dist/testing/index.d.ts')
    expect(existsSync(types)).toBe(true)
  })

it.each(dayOrNight([[['--ignore-scripts']]], [[[]], [['--ignore-scripts']]]))('npm i mfano.tgz %j', async (flags) => {
  const folder = emptyFolder()
  await npm(folder, 'install', tarball, ...flags)
  await showsTheDashboard(folder, 'npx', 'mfano')
})

it.each(dayOrNight([[]], [[], ['--omit=dev'], ['--ignore-scripts']]))('npm ci %s && npm start', async (...flags) => {
  const folder = clone()
  await npm(folder, 'ci', ...flags)
  await showsTheDashboard(folder, 'npm', 'start', '--silent', '--')
  if (flags.length > 0) return
  expect(existsSync(join(folder, 'dist/dashboard/index.html'))).toBe(true)
  await showsTheDashboard(folder, 'npx', 'mfano')
})

it.each(dayOrNight(['3.0.9'], ['3.0.9', '3.2.4']))(
  'its fixture works for vitest %s, whose workers know a fixture by its name alone',
  async (version) => {
    const folder = emptyFolder()
    await npm(folder, 'install', tarball, `vitest@${version}`)
    writeFileSync(
      join(folder, 'worlds.test.ts'),
      `import { expect } from 'vitest'
    import { mfanoTest, test } from 'mfano/testing/vitest'
    const stuck = mfanoTest({ scenario: 'stuck-pending' })
    const paid = async (world) => {
      const { uuid } = await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
      await world.clock.advance('1h')
      return (await world.payment.show({ id: uuid })).status
    }
    test('a customer pays', async ({ world }) => expect(await paid(world)).toBe('SUCCESS'))
    stuck('nobody answers', async ({ world }) => expect(await paid(world)).toBe('PENDING'))`,
    )
    const { stdout } = await run('npx', ['vitest', 'run'], {
      cwd: folder,
      env: { ...userEnvironment(), NO_COLOR: '1' },
    })
    expect(stdout).toMatch(/Tests +2 passed/)
  },
)
