/** Documentation pages of the package. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocFiles } from '../../../server/front-ports.ts'
import { packageRoot } from '../package.ts'

export function docFiles(): DocFiles {
  const root = packageRoot()
  return {
    names: () => readdirSync(join(root, 'src/docs')).filter((name) => name.endsWith('.md')),
    read: (path) => readFileSync(join(root, path), 'utf8'),
  }
}
