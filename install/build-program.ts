/** Bundles the program, and gives the files that went into it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { NO_HTTP2 } from '../src/apps/cli/start/resolve-imports.ts'

const root = join(import.meta.dirname, '..')

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What an install has: a native module, what a start does without, and what the user chose. All else is bundled. */
export const external = Object.keys({ ...dependencies, ...peerDependencies })

/** Bundles entries of `src/apps`, named without their ending, into a folder; gives paths from the project's root. */
export async function buildProgram(entries: readonly string[], outdir: string): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    entryPoints: Object.fromEntries(entries.map((name) => [name, join(root, `src/apps/${name}.ts`)])),
    absWorkingDir: root,
    outdir,
    metafile: true,
    write: false,
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
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withoutModuleImports(text))
  }
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('<'))
}

/** Each import of a module of Node, as esbuild writes it: a default, all as one name, or a list, in this order. */
const IMPORT = /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|(\{[^}]*\}))? from "(node:[\w/]+)";$/gm

/**
 * Takes what is used of Node's modules from themselves. For an import Node makes an ES module of each one, and loads what
 * it exports and nobody uses: a tenth of a start's work. A kit that only connects is loaded where there is no Node, too.
 */
function withoutModuleImports(text: string): string {
  return text.replace(IMPORT, (_, whole = '', all = '', some = '', name) =>
    [whole, all, some.replaceAll(' as ', ': ')]
      .filter((taken) => taken !== '')
      .map((taken) => `const ${taken} = globalThis.process?.getBuiltinModule?.("${name}") ?? {};`)
      .join(' '),
  )
}
