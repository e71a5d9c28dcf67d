// @ts-check
// A Node for a clone on a machine whose own is too old. The older one reads this file.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { unfitNode } from '../bin/node-version.js'

/** Which one is fetched; the sources need 22.19, 24 or newer. */
const VERSION = '24.21.0'
const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The path of a Node that runs the sources: this one where it does, else one that the registry gave, fetched when it is
 * first asked for. It is also put before the machine's own for `npm run`.
 */
export function fittingNode() {
  if (unfitNode() === undefined) return process.execPath
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const folder = join(root, 'node_modules/.newer-node')
  const node = join(folder, 'node_modules', name, windows ? 'bin/node.exe' : 'bin/node')
  if (!existsSync(node)) {
    process.stderr.write(`${unfitNode()}. ${VERSION} is fetched once.\n`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    npm(['install', '--no-save', '--no-package-lock', `${name}@${VERSION}`], folder)
    // Headers for compiling native modules: half its size.
    rmSync(join(folder, 'node_modules', name, 'include'), { recursive: true, force: true })
  }
  const bin = join(root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  if (windows) writeFileSync(join(bin, 'node.cmd'), `@"${node}" %*\r\n`)
  else {
    rmSync(join(bin, 'node'), { force: true })
    symlinkSync(node, join(bin, 'node'))
  }
  return node
}

/**
 * Runs a script with the same input, output and end, on a Node that fits.
 * @param {string[]} words the script and its arguments
 */
export function runWithNewerNode(words) {
  // Bun's own flags are none of Node's.
  const flags = process.versions['bun'] ? [] : process.execArgv
  const child = spawn(fittingNode(), [...flags, ...words], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

/**
 * Runs npm in a folder; throws with all that it said when it fails.
 * @param {string[]} words
 * @param {string} folder
 */
export function npm(words, folder) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-global', '--no-dry-run']
  const { status, stdout, stderr, error } = spawnSync('npm', [...words, ...quiet], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${words.join(' ')} failed:\n${error ?? stdout + stderr}`)
}
