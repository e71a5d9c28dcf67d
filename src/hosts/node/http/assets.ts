/** Serves the dashboard's files from disk. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { errorOf, once } from '../../../core/model/must.ts'
import { hasNoDescriptor } from '../../../core/model/refusal.ts'
import { type Asset, type Assets, assetType, type DocFiles, RECIPE_FOLDERS } from '../../../server/front-ports.ts'
import { packageRoot } from '../package.ts'

/**
 * All are read on first use, so that a build that replaces them breaks no page. A package has them; a clone that ran no npm scripts builds them once, and `failed` is called when
 * it cannot.
 */
export function dashboardAssets(failed: (said: string) => void): Assets {
  const building = once(async () => built() ?? buildInClone(failed))
  return {
    find: async (name) => (await building())?.get(name),
    nonce: () => process.getBuiltinModule('node:crypto').randomBytes(16).toString('base64url'),
  }
}

function built(): ReadonlyMap<string, Asset> | undefined {
  const directory = join(packageRoot(), 'dist/dashboard')
  try {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = new Map(
      files
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [relative(directory, path).replaceAll('\\', '/'), new Uint8Array(readFileSync(path))]),
    )
    if (bytes.has('index.html')) return new Map([...bytes].map(([name, own]) => [name, asset(name, own, bytes)]))
  } catch (error) {
    if (hasNoDescriptor(error)) throw error
    // It has not been built.
  }
  return undefined
}

function asset(name: string, bytes: Asset['bytes'], all: ReadonlyMap<string, Asset['bytes']>): Asset {
  const brotli = all.get(`${name}.br`)
  return { type: assetType(name), bytes, ...(brotli && { brotli }) }
}

async function buildInClone(failed: (said: string) => void): Promise<ReadonlyMap<string, Asset> | undefined> {
  const script = join(packageRoot(), 'install/prepare.js')
  if (!existsSync(script)) return undefined
  try {
    await promisify(execFile)(process.execPath, [script, 'dashboard'])
    return built()
  } catch (error) {
    if (hasNoDescriptor(error)) throw error
    failed(errorOf(error).message)
    return undefined
  }
}

// Documentation pages and recipes of the package.

export function docFiles(): DocFiles {
  const root = packageRoot()
  let recipes: readonly string[] | undefined
  return {
    names: () => readdirSync(join(root, 'src/docs')).filter((name) => name.endsWith('.md')),
    recipes: () => {
      recipes ??= recipeFiles(root)
      return recipes
    },
    read: (path) => readDocument(root, path),
  }
}

/** Pages that have generated parts are kept without them, and read with them. */
export function readDocument(root: string, path: string): string {
  try {
    return readFileSync(join(root, path.replace(/^src\/docs\//, 'dist/docs/')), 'utf8')
  } catch {
    // It has none, or a build is replacing them.
    return readFileSync(join(root, path), 'utf8')
  }
}

/** Paths of all files that are shipped as recipes, from the package's root. */
export function recipeFiles(root: string): string[] {
  return RECIPE_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/__pycache__|\.pyc$/.test(join(entry.parentPath, entry.name)))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort(),
  )
}
