import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lockfile, lockfiles, missingOptionals } from '../support/complete-lockfile.ts'

test.each(lockfiles)(
  '%s holds the packages of every platform, or npm 11 refuses it: node test/support/complete-lockfile.ts',
  (file) => {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    expect([...missingOptionals(lock).keys()]).toEqual([])
  },
)
