/** Serves the dashboard's files from disk. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { errorOf } from '../../../core/model/must.ts'
import { once } from '../../../core/model/once.ts'
import { hasNoDescriptor } from '../../../core/model/storage-failure.ts'
import { type Asset, type Assets, assetType } from '../../../server/front-ports.ts'
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
