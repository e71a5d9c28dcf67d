/**
 * Serves built files from disk: the dashboard and the documentation. All are read on first use, so that a build that
 * replaces them breaks no page.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { errorOf, once } from '../../../core/model/must.ts'
import { hasNoDescriptor } from '../../../core/sql.ts'
import { type Asset, assetType, type BuiltFiles } from '../../../server/front-ports.ts'
import { packageRoot } from '../package.ts'

/** A package has them; a clone that ran no npm scripts builds them once, and `failed` is called when it cannot. */
export function dashboardAssets(failed: (said: string) => void): BuiltFiles {
  const building = once(async () => built() ?? buildInClone(failed))
  return {
    find: async (name) => {
      const asset = (await building())?.get(name)
      if (asset) asset.gzip ??= new Uint8Array(await promisify(gzip)(asset.bytes))
      return asset
    },
  }
}

function built(): ReadonlyMap<string, Asset> | undefined {
  const files = filesIn('dist/dashboard')
  return files?.has('index.html') ? files : undefined
}

function filesIn(folder: string): ReadonlyMap<string, Asset> | undefined {
  const directory = join(packageRoot(), folder)
  try {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name))
    const nameOf = (path: string) => relative(directory, path).replaceAll('\\', '/')
    const assetAt = (path: string) => ({ type: assetType(path), bytes: new Uint8Array(readFileSync(path)) })
    return new Map(paths.map((path) => [nameOf(path), assetAt(path)]))
  } catch (error) {
    if (hasNoDescriptor(error)) throw error
    return undefined
  }
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

/** By path under `/docs`, as `install/generate.ts` made them. */
const DOCS = 'dist/docs.json.gz'

export function docFiles(): BuiltFiles {
  const read = once(async () => {
    const { gunzipSync } = process.getBuiltinModule('node:zlib')
    const texts: Record<string, string> = JSON.parse(String(gunzipSync(readFileSync(join(packageRoot(), DOCS)))))
    return new Map(Object.entries(texts))
  })
  return {
    find: async (name) => {
      const text = (await read()).get(name)
      return text === undefined ? undefined : { type: assetType(name), bytes: new TextEncoder().encode(text) }
    },
  }
}
