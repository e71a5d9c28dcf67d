import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withMadeParts } from '../support/made-docs.ts'

// What is printed from the code and kept: after a change of an operation of the control plane, of a
// command, a flag or a setting, `UPDATE_SCHEMA=1 npm test -- test/house/printed` prints it anew.

const root = join(import.meta.dirname, '../..')
const told = 'print it anew: UPDATE_SCHEMA=1 npm test -- test/house/printed'

/** Expects that a file is as it would be printed now. */
function expectPrinted(file: string, made: string): void {
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(file, made)
  expect(made === readFileSync(file, 'utf8'), told).toBe(true)
}

it.each(readdirSync(join(root, 'src/docs')))('keeps src/docs/%s as the code has it', async (name) => {
  const file = join(root, 'src/docs', name)
  expectPrinted(file, await withMadeParts(readFileSync(file, 'utf8')))
})
