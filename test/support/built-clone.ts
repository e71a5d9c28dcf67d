import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { generateIfStale } from '../../install/generated.js'

/** What the pages are made of. */
const sources = ['src/apps/dashboard', 'src/server/pages/browser', 'src/client', 'src/core/model']
const root = join(import.meta.dirname, '../..')

/** Makes generated files and the dashboard, unless they are as new as their sources. */
export default function setup(): void {
  generateIfStale()
  if (newest('dist/dashboard') > Math.max(...sources.map(newest))) return
  const built = spawnSync(process.execPath, [join(root, 'install/build-dashboard.ts')], {
    encoding: 'utf8',
    // Not the `test` of the test runner, with which React would be built for its developers.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (built.status !== 0) throw new Error(`the dashboard could not be built:\n${built.stdout}${built.stderr}`)
}

/** When the newest file below a folder was changed; 0 when there is none. */
function newest(folder: string): number {
  try {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return Math.max(0, ...names.map((name) => statSync(join(root, folder, name)).mtimeMs))
  } catch {
    return 0
  }
}
