/** The dashboard's files on this machine. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset, Assets } from '../../server/pages/page.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The files that `npm run build:dashboard` made, read when they are first asked for. */
export function dashboardAssets(): Assets {
  const read = new Map<string, Asset>()
  let known: { directory: string; names: ReadonlySet<string> } | undefined
  return {
    find: (name) => {
      known ??= built()
      // Only names that were listed are opened, so that no name can lead out of the directory.
      if (!known?.names.has(name)) return undefined
      const asset = read.get(name) ?? load(known, name)
      read.set(name, asset)
      return asset
    },
    nonce: () => randomBytes(16).toString('base64url'),
  }
}

function load({ directory, names }: { directory: string; names: ReadonlySet<string> }, name: string): Asset {
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    bytes: new Uint8Array(readFileSync(join(directory, name))),
    ...(names.has(`${name}.br`) && { brotli: new Uint8Array(readFileSync(join(directory, `${name}.br`))) }),
  }
}

/** `dist/dashboard`, seen from a source file or from the bundle beside it. */
function built(): { directory: string; names: ReadonlySet<string> } | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  for (const directory of [join(here, 'dashboard'), join(here, '../../../dist/dashboard')]) {
    try {
      const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      if (names.includes('index.html'))
        return { directory, names: new Set(names.map((name) => name.replaceAll('\\', '/'))) }
    } catch {
      // Not here: the next place, or nowhere when it has not been built.
    }
  }
  return undefined
}
