/** Builds all that a package has into `dist`: the program and the kits, their types, and the dashboard. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildProgram } from './build-program.ts'

const root = join(import.meta.dirname, '..')
const kits = ['index', 'vitest', 'node', 'jest', 'playwright', 'testcontainers'].map((name) => `testing/${name}`)

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/tsconfig.build.json')]
const types = promisify(execFile)(process.execPath, compiler).catch(({ stdout }) => {
  throw new Error(`the types could not be built:\n${stdout}`)
})
await buildProgram(['cli', 'index', 'follow-clock', ...kits], join(root, 'dist'))
await Promise.all([types, import('./build-dashboard.ts')])
