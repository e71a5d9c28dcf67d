// @ts-check
// npm runs this after an install in a clone, and before it packs: `npm ci` makes ready what a clone lacks, a Node that
// runs it, generated files and the dashboard; everything else (npm pack, npm publish, an install from git) builds the whole package.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fittingNode, npm } from './newer-node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Read by a build. */
const sources = [
  ...['bin', 'clients', 'install', 'scenarios', 'src', 'test/merchants/python', 'test/merchants/typescript'],
  ...['package.json', 'package-lock.json', 'README.md', 'tsconfig.json'],
]

const { npm_command: command, npm_config_local_prefix: prefix, _PACOTE_NO_PREPARE_: twice } = process.env
// Somebody's own clone, rather than one that npm made to install from git.
const inOwnClone = prefix === undefined || resolve(prefix) === resolve(root)
const onlyDashboard = inOwnClone && (command === 'ci' || command === 'exec' || process.argv[2] === 'dashboard')
// npx asks in every clone when it is first used there.
const isThere = command === 'exec' && existsSync(join(root, 'dist/dashboard'))
const hasTools = existsSync(join(root, 'node_modules/vite'))

// npm runs this twice for an install from git: in the clone that it made, then to pack that. Once is enough.
if (!twice && !isThere) {
  const node = fittingNode()
  if (!hasTools) await buildElsewhere(node)
  else if (!onlyDashboard) await run(node, 'build', root)
  else if (process.argv[2] === 'dashboard') await run(node, 'build-dashboard', root)
  else {
    await run(node, 'generate', root)
    await run(node, 'build-dashboard', root)
  }
}

/**
 * Runs a script of `install/`, with the folder's own tools; this process fails when it does.
 * @param {string} node
 * @param {string} script
 * @param {string} folder
 */
async function run(node, script, folder) {
  const child = spawn(node, [join(folder, `install/${script}.ts`)], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Not the `test` of a test runner, with which React would be built for its developers.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [status] = await once(child, 'exit')
  if (status !== 0) process.exitCode = status ?? 1
}

/**
 * Where the tools were left out (`npm ci --omit=dev`), and with them the libraries that are bundled: builds in a copy
 * that has them, and takes the program that it made.
 * @param {string} node
 */
async function buildElsewhere(node) {
  const copy = mkdtempSync(join(tmpdir(), 'mfano-build-'))
  try {
    for (const name of sources) cpSync(join(root, name), join(copy, name), { recursive: true })
    npm(['ci', '--include=dev', '--ignore-scripts'], copy)
    await run(node, 'build', copy)
    if (process.exitCode) return
    for (const name of ['dist', 'scenarios']) cpSync(join(copy, name), join(root, name), { recursive: true })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
