/** Bundles `src/apps/worker.ts` for workerd and for Cloudflare, with all that it carries along. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { build, type Plugin } from 'rolldown'

const root = join(import.meta.dirname, '..')
/** Where the bundle lies unless it is told otherwise. */
export const BUNDLED = join(root, 'dist/workers')
/** A module of its own, as the runtime compiles no code that it is handed. */
export const SQLITE = 'sqlite.wasm'

/** Writes `worker.js` and the module that it loads into a directory. `entry`: what is bundled. */
export async function bundleWorker(directory = BUNDLED, entry = join(root, 'src/apps/worker.ts')): Promise<void> {
  // Beside the tests: nobody else needs it, and it is large.
  const sqlite = createRequire(join(root, 'test/package.json')).resolve('sql.js/dist/sql-wasm-browser.js')
  await build({
    input: entry,
    cwd: root,
    platform: 'browser',
    tsconfig: false,
    external: /^(?:cloudflare|node|workerd):/,
    resolve: { alias: { 'sql.js': sqlite }, conditionNames: ['workerd', 'worker', 'browser'] },
    // It asks where its script lies, to load what it is handed here.
    transform: { target: 'es2024', define: { 'self.location.href': '""' } },
    checks: { ineffectiveDynamicImport: false },
    plugins: [packageModule, sqliteModule],
    output: { file: join(directory, 'worker.js'), format: 'es', minify: true, keepNames: true, codeSplitting: false },
  })
  cpSync(sqlite.replace(/js$/, 'wasm'), join(directory, SQLITE))
}

/** `mfano:package`: our version, and texts that the host of a Node process reads from files. */
const packageModule: Plugin = {
  name: 'package',
  resolveId: { filter: { id: /^mfano:package$/ }, handler: (id) => id },
  load: {
    filter: { id: /^mfano:package$/ },
    handler: () => ({ code: JSON.stringify(packageTexts()), moduleType: 'json' }),
  },
}

const sqliteModule: Plugin = {
  name: 'sqlite',
  resolveId: { filter: { id: /\.wasm$/ }, handler: () => ({ id: `./${SQLITE}`, external: true }) },
}

function packageTexts() {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  const named = (folder: string, ending: string) =>
    readdirSync(join(root, folder)).filter((name) => name.endsWith(ending))
  return {
    version: (JSON.parse(textOf('package.json')) as { version: string }).version,
    scenarios: Object.fromEntries(
      named('scenarios', '.yaml').map((name) => [name.replace(/\.yaml$/, ''), textOf(`scenarios/${name}`)]),
    ),
    documents: JSON.parse(String(gunzipSync(readFileSync(join(root, 'dist/docs.json.gz'))))),
  }
}
