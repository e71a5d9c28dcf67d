import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'
import { printedFiles } from '../support/printed-files.ts'

const root = join(import.meta.dirname, '../..')
const bench = useBench()
/** `npm run print` runs this file in a mode of its own. */
const isPrinting = import.meta.env['MODE'] === 'print'

it('keeps all that is printed from the code as the code has it', { timeout: 180_000 }, async () => {
  const stale: string[] = []
  for (const [path, make] of Object.entries(printedFiles)) {
    const file = join(root, path)
    const made = await make(bench)
    if (made === readFileSync(file, 'utf8')) continue
    if (isPrinting) writeFileSync(file, made)
    else stale.push(path)
  }
  expect(stale, 'these are not as the code has them: npm run print').toEqual([])
})
