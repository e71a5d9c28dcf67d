import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// A major collection holds everybody up. One function that V8 puts among old objects keeps a whole world until then.
it('is no work for a major collection when it is gone', () => {
  const script = join(import.meta.dirname, 'removed-worlds.ts')
  const left = Number(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' }))
  // A whole world takes some 50 kB.
  expect(left).toBeLessThan(10_000)
})
