/** An app with timers of its own, unchanged, lives through days in seconds; and twice the same. */
import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { freePort } from '../../../src/judge/app/free-port.ts'
import { useBench } from '../../support/harness.ts'
import { payrollDays } from './payroll-month.ts'

const bench = useBench()

it('lives through 30 days, and twice the same', { timeout: 400_000 }, async () => {
  const days = { start: '2025-01-01T08:00:00Z', days: 30, port: await freePort() }
  const beganMs = performance.now()
  const first = await payrollDays(bench, days)
  console.log(`30 simulated days took ${Math.round(performance.now() - beganMs)} ms of real time`)
  expect(first.advanced).not.toHaveProperty('absent')
  expect(first.jobs).toHaveLength(30)
  expect(first.books.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('SUCCESS'))
  expect(await payrollDays(bench, days)).toEqual(first)
})

it('pays on the 28th at 18:00, and does its daily job each day', async () => {
  const days = { start: '2025-01-27T12:00:00Z', days: 2, port: await freePort() }
  const first = await payrollDays(bench, days)
  expect(first.advanced).not.toHaveProperty('absent')
  expect(first.jobs.map(({ at }: { at: string }) => at)).toEqual([
    '2025-01-28T06:00:00.000Z',
    '2025-01-29T06:00:00.000Z',
  ])
  expect(first.books).toHaveLength(5)
  expect(first.books).toContainEqual(
    expect.objectContaining({ reference: 'employee-1-2025-01', amount: 1001, status: 'SUCCESS' }),
  )
  // Callbacks come two seconds after the payments, to an app whose dates are the world's.
  expect(new Set(first.heard.map(({ at }: { at: string }) => at))).toEqual(new Set(['2025-01-28T18:00:02.000Z']))
})
