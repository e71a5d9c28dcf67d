/** Builds all that a package has into `dist`: generated files, the program and the kits, their types, and the dashboard. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, external } from './build-program.ts'
import { buildTypes } from './build-types.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '..')
const kits = ['index', 'vitest', 'node', 'jest', 'playwright', 'testcontainers'].map((name) => `testing/${name}`)
const entries = ['index', 'follow-clock', ...kits]

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
await import('./generate.ts')
const types = buildTypes(entries, external)
const kitFiles = await bundle(entries, 'es', join(root, 'dist'))
const programFiles = await bundle(['cli/run'], 'cjs', join(root, 'dist/program'))
writeFileSync(join(root, 'dist/LICENCES.md'), licencesOf([...kitFiles, ...programFiles], root))
await Promise.all([types, import('./build-dashboard.ts')])
