/**
 * The types of what the package exports, in `dist`: a file for each entry, and what several of them share. Types of
 * libraries that are bundled are among them, as these libraries are installed nowhere.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = join(import.meta.dirname, '..')

/** `entries`: names of modules of `src/apps`. `external`: packages that an install has. */
export async function buildTypes(entries: readonly string[], external: readonly string[]): Promise<void> {
  // In the project, so that types of libraries are found above it.
  const single = mkdtempSync(join(root, 'dist/types-'))
  try {
    await declarations(single)
    const bundle = await rolldown({
      input: Object.fromEntries(entries.map((name) => [name, join(single, `apps/${name}.d.ts`)])),
      cwd: root,
      external: [/^node:/, ...external],
      plugins: [declarationsOfSources, dts({ dtsOnly: true, tsconfig: false, generator: 'oxc' })],
    })
    await bundle.write({ dir: join(root, 'dist'), format: 'es', chunkFileNames: 'types/[name].d.ts' })
  } finally {
    rmSync(single, { recursive: true, force: true })
  }
}

async function declarations(outDir: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const words = [compiler, '-p', join(root, 'src/tsconfig.build.json'), '--outDir', outDir]
  await promisify(execFile)(process.execPath, words).catch(({ stdout }) => {
    throw new Error(`the types could not be built:\n${stdout}`)
  })
}

const declarationsOfSources: Plugin = {
  name: 'declarations-of-sources',
  resolveId: {
    order: 'pre',
    async handler(id, importer) {
      // A declaration imports `./a.ts`, as its source does; beside it is `a.d.ts`.
      if (importer !== undefined && /^\.\.?\/.*(?<!\.d)\.ts$/.test(id))
        return resolve(dirname(importer.replace(/\?.*$/, '')), id.replace(/\.ts$/, '.d.ts'))
      const found = await this.resolve(id, importer, { skipSelf: true })
      // Types of CommonJS cannot be bundled; zod names them first, and has the others beside them.
      const other = found?.id.replace(/\.d\.cts(?=\?|$)/, '.d.ts')
      return found && other && other !== found.id && existsSync(other.replace(/\?.*$/, ''))
        ? { ...found, id: other }
        : found
    },
  },
}
