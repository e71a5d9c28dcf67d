/** Builds the dashboard, and the scripts of the pages for payers, into `dist/dashboard`. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

mkdirSync(dist, { recursive: true })
// Whoever serves it meanwhile sees the one before, whole.
const outDir = mkdtempSync(join(dist, 'building-'))
try {
  await build({ configFile: join(root, 'src/apps/dashboard/vite.config.ts'), logLevel: 'warn', build: { outDir } })
  await bundle({
    entryPoints: ['checkout', 'docs', 'handset'].map((name) =>
      join(root, `src/server/pages/browser/${name}-script.ts`),
    ),
    bundle: true,
    minify: true,
    target: 'es2023',
    outdir: join(outDir, 'pages'),
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
