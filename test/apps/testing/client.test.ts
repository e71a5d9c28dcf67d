import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serviceClientText } from '../../support/print-client.ts'

const root = join(import.meta.dirname, '../../..')
const path = 'src/client/service.gen.ts'
const file = join(root, path)
const biome = join(root, 'test/node_modules/@biomejs/biome/bin/biome')

it('is made from the contract as it is now', () => {
  const made = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input: serviceClientText(),
    encoding: 'utf8',
  })
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(file, made)
  expect(made, 'after a change of the contract: UPDATE_SCHEMA=1 npm test -- test/apps/testing/client').toBe(
    readFileSync(file, 'utf8'),
  )
})
