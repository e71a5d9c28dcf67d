/** Bundles the program and the kits, and gives the files that went into them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown'
import { standIn } from './unused.js'

const root = join(import.meta.dirname, '..')

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Installed, not bundled: a native module, packages that a start does not need, and those that the user chose. */
export const external = Object.keys({ ...dependencies, ...peerDependencies })

const source = (name: string) => join(root, `src/apps/${name}.ts`)
/** Each command of the command line is imported by these when it is typed. */
const COMMANDS = ['cli/tree', 'cli/run'].map(source)
/** The steps of a start, one after the other. */
const START = ['cli/run', 'cli/start/start-command', '../hosts/node/simulator'].map(source)

/**
 * Bundles entries of `src/apps`, named without their ending, into a folder; gives paths from the project's root. What
 * `bin/program.cjs` loads is `cjs`: V8 takes compiled functions along only for such files.
 */
export async function bundle(entries: readonly string[], format: 'cjs' | 'es', outdir: string): Promise<string[]> {
  const ending = format === 'cjs' ? 'cjs' : 'mjs'
  const built = await rolldown({
    input: Object.fromEntries(entries.map((name) => [format === 'cjs' ? basename(name) : name, source(name)])),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    preserveEntrySignatures: 'allow-extension',
    external: external
      .filter((name) => format === 'es' || name !== 'better-sqlite3')
      .map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [standIns],
    transform: { target: 'node22.19' },
    // Some are imported later from where they may be there already.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await built.generate({
    format,
    // With this ending Node need not look for a package.json: a twentieth of a start's work.
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    comments: false,
    dynamicImportInCjs: false,
    codeSplitting: {
      // A name says where each module belongs; the bundler would move what it imports along with it.
      includeDependenciesRecursively: false,
      groups: [{ name: loadedTogether(entries.map(source)), debugName: 'loaded together' }],
    },
  })
  for (const file of output) {
    const path = join(outdir, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.type === 'asset' ? file.source : finish[format](file.code))
  }
  const files = await built.watchFiles
  await built.close()
  return files.map((path) => relative(root, path))
}

/** Finds SQLite's native part, in its package. The rest is bundled: its eleven files took a thirtieth of a start. */
const SQLITE_BINDING = `data:text/javascript,
  const { createRequire } = process.getBuiltinModule('node:module')
  export const { getBinding } = createRequire(createRequire(import.meta.url).resolve('better-sqlite3'))('./binding')`

const standIns: Plugin = {
  name: 'stand-ins',
  resolveId(name, importer) {
    const url = name === './binding' && importer?.includes('better-sqlite3') ? SQLITE_BINDING : standIn(name, importer)
    return url === undefined ? null : this.resolve(url)
  },
}

/**
 * The chunk of a module. By itself the bundler makes one for each set of later imports, so many that a start loads a
 * hundred files, which is a tenth of it.
 *  - An entry loads nothing that it does not lead to, as some are loaded where there is no Node.
 *  - What a start loads is with the smallest command that leads to it, those of a like size together: few files, and a
 *    command loads little more than it needs.
 *  - Of the rest, all that the same commands lead to is in one. Finding and running a command counts as one, or what it
 *    needs itself would share a file with what a single command needs: the help with the completion, and so the service.
 * All that leads to a module also leads to its imports, so no two chunks import each other.
 */
function loadedTogether(entries: readonly string[]) {
  let known: { entered: Reached[]; asked: Reached[]; started: Reached } | undefined
  return (id: string, graph: ChunkingContext): string | null => {
    known ??= {
      entered: entries.map((entry) => reachedFrom([entry], graph)),
      asked: [
        ...START,
        ...COMMANDS,
        ...COMMANDS.flatMap((one) => graph.getModuleInfo(one)?.dynamicallyImportedIds ?? []),
      ]
        .map((module) => reachedFrom([module], graph))
        .sort((a, b) => a.size - b.size),
      started: reachedFrom(START, graph),
    }
    const { entered, asked, started } = known
    const smallest = asked.find((reached) => reached.has(id))
    const by = started.has(id) && smallest ? `start-${Math.round(Math.log2(smallest.size))}` : which(asked, id)
    const name = `${which(entered, id)}-${by}`
    // An entry acts when it is loaded, so no other may share its chunk.
    return name === '0-0' || graph.getModuleInfo(id)?.isEntry ? null : name
  }
}

type Reached = ReadonlySet<string>

/** As the bits of a number, written shortly. */
function which(all: readonly Reached[], id: string): string {
  return all.reduce((bits, reached, index) => (reached.has(id) ? bits | (1n << BigInt(index)) : bits), 0n).toString(36)
}

function reachedFrom(modules: readonly string[], graph: ChunkingContext): Reached {
  const reached = new Set(modules)
  for (const one of reached) for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) reached.add(imported)
  return reached
}

/** An export of a file, as the bundler writes it. */
const EXPORT =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn ([^;]+);\n\t\}\n\}\);$/gm

/**
 * As `bin/program.cjs` calls it. Exports stand at the end, and are never set again: asking a getter for each takes a
 * twentieth of a request. Letters that are no ASCII would double the text in memory.
 */
function asFunction(text: string): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const plain = text.replace(EXPORT, 'exports.$1 = $2;').replace(/[^\0-\x7f]/g, escaped)
  return `(function (exports, require, __filename, __dirname) {${plain}\n})`
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

const finish = { cjs: asFunction, es: withoutModuleImports }
