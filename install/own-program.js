// @ts-check
// The program that a clone runs: its sources, bundled, because some 600 files that are loaded one by one take twice the
// time of a start. It is made again when one of them has changed; where it cannot be made, the sources are run.
// Nothing of Node is imported, for the reason that `bin/mfano.js` has.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs')
const { fileURLToPath } = process.getBuiltinModule('node:url')

const root = fileURLToPath(new URL('..', import.meta.url))
export const bundles = `${root}dist/clone`

/** What is to be imported: the bundle of these sources, or their first file. */
export function ownProgram() {
  const found = current()
  if (found !== undefined) return found
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const script = fileURLToPath(new URL('bundle-clone.ts', import.meta.url))
  const { stderr } = existsSync(`${root}node_modules/rolldown`)
    ? spawnSync(process.execPath, [script], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } })
    : { stderr: '' }
  const said = process.getBuiltinModule('node:util').stripVTControlCharacters(stderr)
  // The bundler's own error only counts what it says below: what is wrong, and where.
  const [, reason, place] = /^\[\w+\] (.+)\n.*\[ (\S+) \]/m.exec(said) ?? /^(\w*Error\b.*)$/m.exec(said) ?? []
  if (reason)
    process.stderr.write(
      `The sources are run one by one, which is slower; they could not be bundled: ${reason}${place ? ` (${place})` : ''}\n`,
    )
  return current() ?? new URL('../src/apps/cli.ts', import.meta.url)
}

/** The bundle, where every file that went into it is as it was then. */
function current() {
  try {
    /** @type {{ folder: string, inputs: Record<string, string> }} */
    const { folder, inputs } = JSON.parse(readFileSync(`${bundles}/current.json`, 'utf8'))
    for (const path in inputs) if (stampOf(path) !== inputs[path]) return undefined
    return new URL(`../dist/clone/${folder}/cli.mjs`, import.meta.url)
  } catch {
    return undefined
  }
}

/**
 * What changes with a file.
 * @param {string} path from the project's root
 */
export function stampOf(path) {
  const { mtimeMs, size } = statSync(root + path)
  return `${mtimeMs} ${size}`
}
