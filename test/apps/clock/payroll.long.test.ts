/** A month of an app with timers of its own. */
import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { unusedPort } from '../../support/clock-app.ts'
import { useBench } from '../../support/harness.ts'
import { payrollDays } from './payroll-month.ts'

const bench = useBench()

it('lives through 30 days, and twice the same', { timeout: 400_000 }, async () => {
  const days = { start: '2025-01-01T08:00:00Z', days: 30, port: await unusedPort() }
  const beganMs = performance.now()
  const first = await payrollDays(bench, days)
  console.log(`30 simulated days took ${Math.round(performance.now() - beganMs)} ms of real time`)
  expect(first.advanced).not.toHaveProperty('absent')
  expect(first.jobs).toHaveLength(30)
  expect(first.books.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('SUCCESS'))
  expect(await payrollDays(bench, days)).toEqual(first)
})
