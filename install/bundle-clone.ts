/** Bundles the program of a clone into a folder of its own, for `own-program.js`. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildProgram } from './build-program.ts'
import { bundles, stampOf } from './own-program.js'

/** A program that runs loads more of its bundle later, so that those before are kept for a while. */
const KEPT = 8

const startedMs = Date.now()
mkdirSync(bundles, { recursive: true })
const folder = mkdtempSync(join(bundles, 'bundle-'))
const inputs = await buildProgram(['cli'], folder)
// Packages change with the lock file alone.
const watched = [...inputs.filter((path) => !path.startsWith('node_modules/')), 'package-lock.json']
const stamps = Object.fromEntries(watched.map((path) => [path, stampOf(path)]))
// A file that was changed meanwhile may have been read before or after.
if (Object.values(stamps).every((stamp) => Number.parseFloat(stamp) < startedMs)) {
  const written = join(folder, 'current.json')
  writeFileSync(written, JSON.stringify({ folder: basename(folder), inputs: stamps }))
  renameSync(written, join(bundles, 'current.json'))
}
const older = readdirSync(bundles)
  .filter((name) => name.startsWith('bundle-'))
  .map((name) => ({ name, madeMs: statSync(join(bundles, name)).mtimeMs }))
  .sort((a, b) => b.madeMs - a.madeMs)
  .slice(KEPT)
for (const { name } of older) rmSync(join(bundles, name), { recursive: true, force: true })
