/**
 * A package registry on loopback that has mfano and all that mfano needs, published there from this project's own folders,
 * so no network is needed for it. What else is asked of it, such as a test runner, it asks of npm's registry.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { freePort } from '../../src/judge/app/free-port.ts'
import { packed, userEnvironment } from './packed.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

export interface OwnRegistry {
  url: string
  /** Of npm, pnpm, yarn and bun: they take packages from it, and keep them in a cache of its own. */
  env: Record<string, string>
  close(): Promise<void>
}

export async function ownRegistry(): Promise<OwnRegistry> {
  const folder = mkdtempSync(join(inject('packed'), 'registry-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const above = (await run('npm', ['config', 'get', 'registry'], { env: userEnvironment() })).stdout.trim()
  const own = ['mfano', ...dependencies()]
  writeFileSync(join(folder, 'config.yaml'), configOf(folder, above, own))
  const program = join(root, 'test/node_modules/verdaccio/bin/verdaccio')
  const words = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let complained = ''
  child.stderr.on('data', (text) => {
    complained += text
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const lines = createInterface(child.stdout)
  await new Promise<void>((done, fail) => {
    lines.on('line', (line) => line.includes('http address') && done())
    child.once('exit', (code) => fail(new Error(`the registry ended with ${code}:\n${complained}`)))
  })

  const env = environmentOf(folder, url)
  // The packages of our lock, as they lie here.
  const tarballs = await Promise.all(dependencies().map((name) => tarballOf(name, folder, env)))
  for (const tarball of [...tarballs, await packed()])
    await run('npm', ['publish', tarball, '--ignore-scripts', '--tag', 'latest'], { cwd: folder, env })
  return {
    url,
    env,
    close: async () => {
      child.kill()
      await ended
    },
  }
}

/** Packages that an install of mfano has besides it. */
function dependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: boolean; devOptional?: boolean; peer?: boolean }>(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

async function tarballOf(name: string, folder: string, env: Record<string, string>): Promise<string> {
  const words = ['pack', join(root, 'node_modules', name), '--ignore-scripts', '--json', '--pack-destination', folder]
  const [made] = JSON.parse((await run('npm', words, { cwd: folder, env, maxBuffer: 1e8 })).stdout)
  return join(folder, made.filename)
}

function environmentOf(folder: string, url: string): Record<string, string> {
  const home = join(folder, 'home')
  mkdirSync(home)
  // Anybody may publish there; npm asks for a token all the same.
  writeFileSync(join(home, '.npmrc'), `registry=${url}\n//${url.slice('http://'.length)}:_authToken=anybody\n`)
  const cleaned = Object.entries(userEnvironment()).filter(([name]) => !/registry|^yarn_|^bun_/i.test(name))
  return {
    ...Object.fromEntries(cleaned),
    HOME: home,
    NPM_CONFIG_REGISTRY: url,
    NPM_CONFIG_CACHE: join(folder, 'npm-cache'),
    NPM_CONFIG_AUDIT: 'false',
    NPM_CONFIG_FUND: 'false',
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    // New packages are held back for some days by default, and these are seconds old.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
  }
}

function configOf(folder: string, above: string, own: readonly string[]): string {
  return JSON.stringify({
    storage: join(folder, 'storage'),
    uplinks: { npm: { url: above, timeout: '60s', maxage: '1d' } },
    packages: {
      ...Object.fromEntries(own.map((name) => [name, { access: '$all', publish: '$all' }])),
      '**': { access: '$all', proxy: 'npm' },
    },
    max_body_size: '100mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  })
}
