/** Nothing that was seen is silent: what does not come each time is told first, and fails; and time is kept. */
import { expect, it } from 'vitest'
import { answer } from '../../apps/cli/support.ts'
import { forgetfulMerchant } from './forgetful.ts'

const LONG_MS = 120_000

it(
  'fails on what an ordinary day shows once and not again, shows both runs, and goes on',
  async () => {
    const { code, out } = await answer(['explore', forgetfulMerchant(), '--within', '1d', '--schedules', '5'])
    expect(code).toBe(1)
    expect(out).toMatch(/Not repeatable: seen, but not each time/)
    expect(out).toMatch(/wrong_amount with 0 choices/)
    expect(out).toMatch(/with the same events in the same order\. Only the books differ/)
    expect(out).toMatch(/1 unstable\./)
    // It is the ordinary day, three days to confirm what it showed, and more.
    expect(Number(/(\d+) runs/.exec(out)?.[1])).toBeGreaterThan(4)
  },
  LONG_MS,
)

it(
  'lets it pass where that is allowed',
  async () => {
    const typed = ['explore', forgetfulMerchant(), '--json', '--within', '1d', '--schedules', '4', '--allow-unstable']
    const { code, out } = await answer(typed)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ findings: [], unstable: [{ code: 'wrong_amount' }] })
  },
  LONG_MS,
)

it('gives no verdict where the time was over before the ordinary day', async () => {
  const { code, out } = await answer(['explore', forgetfulMerchant(), '--json', '--within', '1ms'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ findings: [], unjudged: expect.stringMatching(/time was over/) })
})
