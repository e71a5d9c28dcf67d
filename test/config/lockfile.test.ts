import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lockfile, missingOptionals } from '../support/complete-lockfile.ts'

test('the lock holds the packages of every platform, or npm 11 refuses it: node test/support/complete-lockfile.ts', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lockfile
  expect([...missingOptionals(lock).keys()]).toEqual([])
})
