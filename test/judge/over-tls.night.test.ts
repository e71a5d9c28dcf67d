/** Judges over HTTPS: apps, and suites that ask only https. */
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../src/judge/explore/choice.ts'
import { SubjectRunner } from '../../src/judge/explore/subject-runs.ts'
import { answer } from '../apps/cli/support.ts'
import { edition } from './editions.ts'

vi.setConfig({ testTimeout: 180_000 })

it('runs a gauntlet', async () => {
  const typed = ['gauntlet', edition('duka', ''), '--json', '--scenario', 'callback-twice', '--tls']
  const { code, out } = await answer(typed)
  const [result] = JSON.parse(out).scenarios
  expect([code, result]).toEqual([0, expect.objectContaining({ scenario: 'callback-twice', verdict: 'clean' })])
})

it('tries a single choice of an app, which is told of its world over HTTPS', async () => {
  const merchant = readMerchantFile(edition('duka', 'pays-before-it-writes'))
  const { signal } = new AbortController()
  const limits = { readyWithinMs: 60_000, restWithinMs: 60_000, jobs: 1, signal }
  const runner = await SubjectRunner.open({ merchant, seed: 1, tls: true, ...limits })
  onTestFinished(() => runner.close())
  const died: Choice = { do: 'crash', at: 'executed', on: 'createSendMoney', nth: 1 }
  expect((await runner.run([died])).findings).toContainEqual(expect.objectContaining({ code: 'paid_unknown' }))
})

it('finds mutants', async () => {
  const suite = ['--', process.execPath, join(import.meta.dirname, 'matrix/suite-https.mjs')]
  const typed = ['mutants', '--json', '--only', 'status in the send-money callback']
  const { truthful, mutants } = JSON.parse((await answer([...typed, '--tls', ...suite])).out)
  expect(truthful.verdict).toBe('green')
  expect(mutants.length).toBeGreaterThan(0)
  const plain = JSON.parse((await answer([...typed, ...suite])).out)
  expect(plain.truthful.verdict).toBe('unjudged')
})
