/**
 * The package as others get it: packed once for all test files of a run, and installed in an empty folder as a user
 * would, with the dependencies at the versions of our lock.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** What a package is made from, and the folder that making it needs. */
export const sources = [
  ...'bin clients install src scenarios test/merchants/python test/merchants/typescript package.json'.split(' '),
  ...'package-lock.json tsconfig.json README.md LICENSE'.split(' '),
]

/** The tarball of `npm pack`. */
export async function packed(): Promise<string> {
  const shared = join(inject('packed'), 'package')
  const tarball = join(shared, 'mfano.tgz')
  if (existsSync(tarball)) return tarball
  // In a copy, so that the project's own dist stays as it is; whoever is ready first shares it.
  const mine = mkdtempSync(join(inject('packed'), 'making-'))
  for (const name of sources) cpSync(join(root, name), join(mine, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(mine, 'node_modules'))
  const { stdout } = await run('npm', ['pack', '--json'], { cwd: mine, env: userEnvironment(), maxBuffer: 1e8 })
  const out = join(mine, 'out')
  mkdirSync(out)
  renameSync(join(mine, JSON.parse(stdout)[0].filename), join(out, 'mfano.tgz'))
  if (!existsSync(shared)) renameSync(out, shared)
  return tarball
}

/** An empty folder in which the tarball has been installed: a copy of one that all test files of a run share. */
export async function installed(): Promise<string> {
  const shared = join(inject('packed'), 'installed')
  if (!existsSync(shared)) {
    const made = await install()
    if (!existsSync(shared)) renameSync(made, shared)
  }
  const folder = mkdtempSync(join(inject('packed'), 'user-'))
  cpSync(shared, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

/**
 * The lock that it gets names what ours does, so npm takes all of it from its cache, where `npm ci` has put it, and asks a
 * registry only for what is missing there.
 */
async function install(): Promise<string> {
  const tarball = await packed()
  const folder = mkdtempSync(join(inject('packed'), 'installing-'))
  const ours = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { dependencies, bin } = ours.packages['']
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { env: userEnvironment() })
  const registry = stdout.trim()
  const wanted = { dependencies: { mfano: `file:${tarball}` } }
  const packages = {
    '': wanted,
    'node_modules/mfano': { version: ours.version, resolved: `file:${tarball}`, dependencies, bin },
    ...Object.fromEntries(
      Object.entries<{ version: string; dev?: boolean; devOptional?: boolean }>(ours.packages)
        .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
        .map(([path, entry]) => [path, { ...entry, resolved: addressOf(registry, path, entry.version) }]),
    ),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...wanted }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, env: userEnvironment() })
  return folder
}

/** Where a registry keeps a package: `node_modules/@hono/node-server` is in `@hono/node-server/-/node-server-2.1.8.tgz`. */
function addressOf(registry: string, path: string, version: string): string {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return `${registry}${name}/-/${name.split('/').at(-1)}-${version}.tgz`
}

/** The environment of somebody who has this Node and nothing of ours. */
export function userEnvironment(nodeFolder = dirname(process.execPath)): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:MFANO_|PORT$|npm_|NODE_ENV$|VITEST)/.test(name))
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return Object.fromEntries([...own, ['PATH', [nodeFolder, ...folders].join(delimiter)]]) as Record<string, string>
}
