/** Builds all that a package has into `dist`: the program and the kits, their types, and the dashboard. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { NO_HTTP2 } from '../src/apps/cli/start/resolve-imports.ts'

const root = join(import.meta.dirname, '..')
const kits = ['index', 'vitest', 'node', 'jest', 'playwright', 'testcontainers'].map((name) => `testing/${name}`)

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/tsconfig.build.json')]
const types = promisify(execFile)(process.execPath, compiler).catch(({ stdout }) => {
  throw new Error(`the types could not be built:\n${stdout}`)
})
await build({
  entryPoints: Object.fromEntries(
    ['cli', 'index', 'follow-clock', ...kits].map((name) => [name, join(root, `src/apps/${name}.ts`)]),
  ),
  outdir: join(root, 'dist'),
  // Of a file that ends so, Node looks for no package.json that says what it is: a twentieth of a start's work.
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  logLevel: 'warning',
  // A native module, those that a start does without, and what the user chose.
  external: [
    'better-sqlite3',
    'undici',
    'yaml',
    '@marcbachmann/cel-js',
    're2js',
    'testcontainers',
    'vitest',
    '@jest/globals',
    '@playwright/test',
  ],
  alias: { 'node:http2': NO_HTTP2 },
  // For the CommonJS modules among what is bundled.
  banner: {
    js: "const require = globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);",
  },
})
await Promise.all([types, import('./build-dashboard.ts')])
