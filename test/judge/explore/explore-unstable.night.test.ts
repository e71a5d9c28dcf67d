/** Nothing that was seen is silent: what does not come each time is told first, and fails; and time is kept. */
import { expect, it, vi } from 'vitest'
import { answer } from '../../apps/cli/support.ts'
import { forgetful, forgetfulMerchant } from './forgetful.ts'

vi.setConfig({ testTimeout: 120_000 })

it('fails on what an ordinary day shows once and not again, and goes on', async () => {
  const { code, out } = await answer(['explore', forgetfulMerchant(), '--within', '1d', '--schedules', '11'])
  expect(code).toBe(1)
  expect(out).toMatch(/Not confirmed: seen, but not each time.*wrong_amount: on an ordinary day/s)
  expect(out).toMatch(/Processor time: (?!0\.0 )[\d.]+ s for the app, (?!0\.0 )[\d.]+ s for mfano\./)
  expect(out).toMatch(/1 problem, not confirmed\./)
  // It is the ordinary day, nine days to confirm what it showed, and more.
  expect(Number(/(\d+) runs/.exec(out)?.[1])).toBeGreaterThan(10)
})

it('lets it pass where that is allowed', async () => {
  const typed = ['explore', forgetfulMerchant(), '--json', '--within', '1d', '--schedules', '4', '--allow-unstable']
  const { code, out } = await answer(typed)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ findings: [], unstable: [{ code: 'wrong_amount' }] })
})

it('gives no verdict where the time was over before the ordinary day', async () => {
  const { code, out } = await answer(['explore', forgetfulMerchant(), '--json', '--within', '1ms'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ findings: [], unjudged: expect.stringMatching(/time was over/) })
})

it('searches an app that died once before it asked for anything, from an ordinary day on which it lived', async () => {
  const late = forgetful
    .replace("if (request.url === '/pay') {", '$& if (isFirst) process.exit(3)')
    .replace('isFirst ? 90 : 100', '100')
  const typed = ['explore', forgetfulMerchant(late), '--json', '--within', '1d', '--schedules', '14']
  const { code, out } = await answer(typed)
  expect(code).toBe(1)
  const { unstable, schedules } = JSON.parse(out)
  expect(unstable[0]).toMatchObject({ code: 'app_died', choices: [] })
  expect(schedules.run).toBeGreaterThan(10)
})
