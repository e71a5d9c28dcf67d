// @ts-check
// Sees to it that what `generate.ts` writes is there, and as new as the sources.
// Nothing of Node is imported, for the reason that `bin/mfano.js` has.
const { existsSync, readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs')
const { fileURLToPath } = process.getBuiltinModule('node:url')

const root = fileURLToPath(new URL('..', import.meta.url))
/** Which files were generated, and from what. */
const NOTE = `${root}dist/generated.json`

/** Runs `generate.ts`, unless nothing has changed since its last run; throws when it fails. */
export function generateIfStale() {
  if (isFresh()) return
  const script = fileURLToPath(new URL('generate.ts', import.meta.url))
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (status !== 0) throw new Error('what mfano needs could not be generated: node install/generate.ts')
}

function isFresh() {
  try {
    /** @type {{ files: string[], stamps: string }} */
    const { files, stamps } = JSON.parse(readFileSync(NOTE, 'utf8'))
    return files.every((file) => existsSync(root + file)) && stamps === stampsOfSources()
  } catch {
    return false
  }
}

/** Changes with any file that something is generated from: 10 ms. */
export function stampsOfSources() {
  /** @type {string[]} */
  const stamps = []
  const walk = (/** @type {string} */ path) => {
    for (const entry of readdirSync(root + path, { withFileTypes: true })) {
      const inside = `${path}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== '__pycache__') walk(inside)
      } else if (!/\.(?:gen\.ts|schema\.json)$/.test(entry.name)) stamps.push(stampOf(inside))
    }
  }
  const recipes = ['clients', 'install/ci', 'test/merchants/python', 'test/merchants/typescript']
  for (const folder of ['install/generate', 'scenarios', 'src', ...recipes]) if (existsSync(root + folder)) walk(folder)
  return [...stamps, ...['install/generate.ts', 'package-lock.json', 'README.md'].map(stampOf)].join('\n')
}

/** @param {string} path from the project's root */
function stampOf(path) {
  const { mtimeMs, size } = statSync(root + path)
  return `${path} ${mtimeMs} ${size}`
}
