/** Builds all that a package has into `dist`: the program and the kits, their types, and the dashboard. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { NO_HTTP2 } from '../src/apps/cli/start/resolve-imports.ts'
import { buildTypes } from './build-types.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '..')
const kits = ['index', 'vitest', 'node', 'jest', 'playwright', 'testcontainers'].map((name) => `testing/${name}`)
const entries = ['index', 'follow-clock', ...kits]
// What an install has: a native module, what a start does without, and what the user chose. All else is bundled.
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const external = Object.keys({ ...dependencies, ...peerDependencies })

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
const types = buildTypes(entries, external)
const { metafile } = await build({
  entryPoints: Object.fromEntries(['cli', ...entries].map((name) => [name, join(root, `src/apps/${name}.ts`)])),
  absWorkingDir: root,
  metafile: true,
  outdir: join(root, 'dist'),
  // Of a file that ends so, Node looks for no package.json that says what it is: a twentieth of a start's work.
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  logLevel: 'warning',
  external,
  alias: { 'node:http2': NO_HTTP2 },
  // For the CommonJS modules among what is bundled.
  banner: {
    js: "const require = globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);",
  },
})
writeFileSync(join(root, 'dist/LICENCES.md'), licencesOf(Object.keys(metafile.inputs), root))
await Promise.all([types, import('./build-dashboard.ts')])
