// @ts-check
// What npm runs after an install in a clone, and before it packs: `npm ci` makes ready what a clone lacks, a Node that
// runs it and the dashboard; everything else (npm pack, npm publish, an install from git) builds the whole package.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fittingNode, npm } from './newer-node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What a build reads. */
const sources = ['src', 'install', 'scenarios', 'package.json', 'package-lock.json', 'tsconfig.json']

// npm runs this twice for an install from git: in the clone that it made, then to pack that. Once is enough.
if (!process.env['_PACOTE_NO_PREPARE_']) {
  const script = process.env['npm_command'] === 'ci' || process.argv[2] === 'dashboard' ? 'build-dashboard' : 'build'
  const node = fittingNode()
  linkCommand()
  if (existsSync(join(root, 'node_modules/vite'))) run(node, script, root)
  else buildElsewhere(node, script)
}

/**
 * Runs a script of `install/`, with the folder's own tools; ends this process when it fails.
 * @param {string} node
 * @param {string} script
 * @param {string} folder
 */
function run(node, script, folder) {
  const { status } = spawnSync(node, [join(folder, `install/${script}.ts`)], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Not the `test` of a test runner, with which React would be built for its developers.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Where the tools were left out (`npm ci --omit=dev`): builds in a copy that has them, and takes what it made.
 * @param {string} node
 * @param {string} script
 */
function buildElsewhere(node, script) {
  const copy = mkdtempSync(join(tmpdir(), 'mfano-build-'))
  try {
    for (const name of sources) cpSync(join(root, name), join(copy, name), { recursive: true })
    npm(['ci', '--include=dev', '--ignore-scripts'], copy)
    run(node, script, copy)
    cpSync(join(copy, 'dist'), join(root, 'dist'), { recursive: true })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Lets `npx mfano` find this clone. */
function linkCommand() {
  const bin = join(root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  if (process.platform === 'win32')
    writeFileSync(join(bin, 'mfano.cmd'), `@node "${join(root, 'bin/mfano.js')}" %*\r\n`)
  else {
    rmSync(join(bin, 'mfano'), { force: true })
    symlinkSync('../../bin/mfano.js', join(bin, 'mfano'))
  }
}
