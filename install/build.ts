/** Builds all that a package has into `dist`: generated files, the program and the kits, their types, and the dashboard. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildProgram, external } from './build-program.ts'
import { buildTypes } from './build-types.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '..')
const kits = ['index', 'vitest', 'node', 'jest', 'playwright', 'testcontainers'].map((name) => `testing/${name}`)
const entries = ['index', 'follow-clock', ...kits]

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
await import('./generate.ts')
const types = buildTypes(entries, external)
const inputs = await buildProgram(['cli', ...entries], join(root, 'dist'))
writeFileSync(join(root, 'dist/LICENCES.md'), licencesOf(inputs, root))
await Promise.all([types, import('./build-dashboard.ts')])
