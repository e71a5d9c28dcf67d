/** Bundles the program, and gives the files that went into it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown'
import { NO_HTTP2 } from '../src/apps/cli/start/resolve-imports.ts'

const root = join(import.meta.dirname, '..')

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What an install has: a native module, what a start does without, and what the user chose. All else is bundled. */
export const external = Object.keys({ ...dependencies, ...peerDependencies })

const source = (name: string) => join(root, `src/apps/${name}.ts`)
/** What these import later: all commands, one of which is run, and what a start goes on with. */
const STEPS = ['cli', 'cli/tree', 'cli/start/process'].map(source)

/** Bundles entries of `src/apps`, named without their ending, into a folder; gives paths from the project's root. */
export async function buildProgram(entries: readonly string[], outdir: string): Promise<string[]> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, source(name)])),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    preserveEntrySignatures: 'allow-extension',
    external: external.map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [noHttp2],
    transform: { target: 'node22.19' },
    // Some are imported later from where they may be there already.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.generate({
    format: 'es',
    // Of a file that ends so, Node looks for no package.json that says what it is: a twentieth of a start's work.
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: loadedTogether(entries.map(source)), debugName: 'loaded together' }],
    },
  })
  for (const file of output) {
    const path = join(outdir, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.type === 'chunk' ? withoutModuleImports(file.code) : file.source)
  }
  const files = await bundle.watchFiles
  await bundle.close()
  return files.map((path) => relative(root, path))
}

const noHttp2: Plugin = {
  name: 'no-http2',
  resolveId: {
    filter: { id: /^node:http2$/ },
    handler() {
      return this.resolve(NO_HTTP2)
    },
  },
}

/**
 * The chunk of a module: all that the same entries, commands and steps of a start lead to is in one. By itself the
 * bundler makes one for each set of later imports, so many that a start loads a hundred files, which is a tenth of it.
 */
function loadedTogether(entries: readonly string[]) {
  let reached: Set<string>[] | undefined
  return (id: string, graph: ChunkingContext): string | null => {
    reached ??= [...entries, ...STEPS.flatMap((step) => graph.getModuleInfo(step)?.dynamicallyImportedIds ?? [])].map(
      (module) => {
        const found = new Set([module])
        for (const one of found) for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) found.add(imported)
        return found
      },
    )
    const by = reached.reduce((bits, found, index) => (found.has(id) ? bits | (1n << BigInt(index)) : bits), 0n)
    // What an entry does when it is loaded it must not do for others.
    return by === 0n || graph.getModuleInfo(id)?.isEntry ? null : `shared-${by.toString(36)}`
  }
}

/** Each import of a module of Node, as the bundler writes it: a default, all as one name, or a list, in this order. */
const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|(\{[^}]*\}))? from "(node:[\w/]+)";$/gm

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
