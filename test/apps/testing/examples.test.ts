import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { expect, it } from 'vitest'
import * as kit from '../../../src/apps/testing/index.ts'
import { examples } from '../../support/examples.ts'

// What the doc comments of mfano/testing show is run here, as it stands there. Those of the test runners' modules are
// run by the runners themselves: test/packed. What needs an app of the reader's is run in test/judge.

const runners = ['vitest.ts', 'node.ts', 'jest.ts', 'playwright.ts', 'testcontainers.ts']
const shown = examples().filter(({ file }) => !runners.includes(file))
const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => (...given: unknown[]) => Promise<void>
const knowsUsing = canRead('await using one = undefined')

function canRead(code: string): boolean {
  try {
    return new AsyncFunction(code) !== undefined
  } catch {
    return false
  }
}

it.for(shown)('$where', async ({ code }, { skip }) => {
  if (!knowsUsing && code.includes('await using')) skip(`Node ${process.versions.node} reads no "await using"`)
  const given = { assert, ...kit }
  await new AsyncFunction(
    ...Object.keys(given),
    stripTypeScriptTypes(`async () => {${code}\n}`).slice('async () => {'.length, -1),
  )(...Object.values(given))
})

it('finds them', () => {
  expect(shown.length).toBeGreaterThanOrEqual(12)
})
