/**
 * Generates what the sources imply and git does not keep: recorded examples, the client of the service, JSON Schemas and
 * pages of documentation. `generated.js` runs it where something has changed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { stampsOfSources } from './generated.js'

const root = join(import.meta.dirname, '..')
/** Holds nothing else. */
const MADE = 'dist/made'

enableCompileCache()
// The world whose answers become the examples is made of the same sources, which import them.
const NO_EXAMPLES = 'data:text/javascript,export const recordedExamples = "{}"'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/recorded.gen.ts')
      ? { url: NO_EXAMPLES, shortCircuit: true }
      : next(specifier.replace(/\/operations\.gen\.ts$/, '/../../server/operation-fields.ts'), context),
})

// Before they are read: a file that changes meanwhile makes the result stale.
const stamps = stampsOfSources()
const { generatedFiles } = await import('./generate/files.ts')
const files = await generatedFiles()
for (const [path, content] of Object.entries(files)) write(path, content)
for (const name of readdirSync(join(root, MADE))) if (!(`${MADE}/${name}` in files)) rmSync(join(root, MADE, name))
write('dist/generated.json', JSON.stringify({ files: Object.keys(files), stamps }))

/** A file that is the same already keeps its time. Others read it whole, before or after. */
function write(path: string, content: string | Uint8Array): void {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return
  mkdirSync(dirname(file), { recursive: true })
  mkdirSync(join(root, 'dist'), { recursive: true })
  const unfinished = join(root, 'dist', `${process.pid}-${basename(file)}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, file)
}
