import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lockfile, lockfiles, missingOptionals, undeclaredBinaries } from '../../support/complete-lockfile.ts'

test.each(lockfiles)(
  '%s holds the packages of every platform, or npm 11 refuses it: node test/support/complete-lockfile.ts',
  (file) => {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    expect([...missingOptionals(lock).keys()]).toEqual([])
  },
)

test.each(lockfiles)(
  '%s says which packages ship their binary, or npm 9.2 compiles them: node test/support/complete-lockfile.ts',
  (file) => {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    expect(undeclaredBinaries(file, lock)).toEqual([])
  },
)

test.each(lockfiles)('%s installs no program of another system', (file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const ofOneSystem = Object.entries(packages).filter(([, { optional }]) => optional)
  const everywhere = ofOneSystem.filter(([path, { os }]) => /-(?:win32|windows|darwin)-/.test(path) && os === undefined)
  expect(everywhere.map(([path]) => path)).toEqual([])
})
