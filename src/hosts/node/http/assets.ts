/** Serves the dashboard's files from disk. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorOf } from '../../../core/model/must.ts'
import { once } from '../../../core/model/once.ts'
import { hasNoDescriptor } from '../../../core/model/storage-failure.ts'
import { type Asset, type Assets, assetType } from '../../../server/front-ports.ts'
import { packageRoot } from '../package.ts'

interface Built {
  directory: string
  names: ReadonlySet<string>
}

/**
 * Read on first use. A package has them; a clone that ran no npm scripts builds them once, and `failed` is called when
 * it cannot.
 */
export function dashboardAssets(failed: (said: string) => void): Assets {
  const read = new Map<string, Asset>()
  const building = once(async () => built() ?? buildInClone(failed))
  return {
    find: async (name) => {
      const known = await building()
      // Only names that were listed are opened, so that no name can lead out of the directory.
      if (!known?.names.has(name)) return undefined
      const asset = read.get(name) ?? load(known, name)
      read.set(name, asset)
      return asset
    },
    nonce: () => process.getBuiltinModule('node:crypto').randomBytes(16).toString('base64url'),
  }
}

function load({ directory, names }: Built, name: string): Asset {
  return {
    type: assetType(name),
    bytes: new Uint8Array(readFileSync(join(directory, name))),
    ...(names.has(`${name}.br`) && { brotli: new Uint8Array(readFileSync(join(directory, `${name}.br`))) }),
  }
}

function built(): Built | undefined {
  const directory = join(packageRoot(), 'dist/dashboard')
  try {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    if (names.includes('index.html'))
      return { directory, names: new Set(names.map((name) => name.replaceAll('\\', '/'))) }
  } catch (error) {
    if (hasNoDescriptor(error)) throw error
    // It has not been built.
  }
  return undefined
}

async function buildInClone(failed: (said: string) => void): Promise<Built | undefined> {
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
