/** Files and functions that one warm payment runs through, as `npm run road` prints them. Bounds may only fall. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Road } from './road.ts'

const MOST = {
  post: { files: 54, functions: 232 },
  advance: { files: 57, functions: 331 },
}
const MOST_FILES_TOGETHER = 75

it('leads a warm payment through few files and functions', async () => {
  // A process of its own, because tests run transformed sources.
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'road.ts'), '--json'])
  const road = JSON.parse(stdout) as Road
  for (const [step, most] of Object.entries(MOST)) {
    const files = road[step as keyof Road]
    expect(Object.keys(files).length, `files of ${step}`).toBeLessThanOrEqual(most.files)
    expect(Object.values(files).flat().length, `functions of ${step}`).toBeLessThanOrEqual(most.functions)
  }
  const together = new Set(Object.values(road).flatMap(Object.keys))
  expect(together.size, 'files of both').toBeLessThanOrEqual(MOST_FILES_TOGETHER)
  // A road of nothing means that the count is broken.
  expect(together.size).toBeGreaterThan(30)
})
