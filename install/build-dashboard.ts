/** Builds the dashboard, and the scripts of the pages for payers, into `dist/dashboard`. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'rolldown'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

mkdirSync(dist, { recursive: true })
// Built aside, so that a server that runs meanwhile serves the one before, whole.
const outDir = mkdtempSync(join(dist, 'building-'))
try {
  await build({ configFile: join(root, 'src/apps/dashboard/vite.config.ts'), logLevel: 'warn', build: { outDir } })
  for (const name of ['checkout-script', 'docs-script', 'handset-script'])
    await bundle({
      input: join(root, `src/server/pages/browser/${name}.ts`),
      cwd: root,
      tsconfig: false,
      transform: { target: 'es2023' },
      output: { file: join(outDir, `pages/${name}.js`), format: 'iife', minify: true },
    })
  rmSync(join(dist, 'dashboard'), { recursive: true, force: true })
  try {
    renameSync(outDir, join(dist, 'dashboard'))
  } catch (error) {
    // Somebody else, who built the same, was quicker.
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
} finally {
  rmSync(outDir, { recursive: true, force: true })
}
