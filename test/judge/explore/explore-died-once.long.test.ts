/** A search goes on from an app that died once, before the day on which it lived. */
import { expect, it } from 'vitest'
import { answer } from '../../apps/cli/support.ts'
import { forgetful, forgetfulMerchant } from './forgetful.ts'

const LONG_MS = 120_000

it(
  'searches an app that died once before it asked for anything, from an ordinary day on which it lived',
  async () => {
    const late = forgetful
      .replace("if (request.url === '/pay') {", '$& if (isFirst) process.exit(3)')
      .replace('isFirst ? 90 : 100', '100')
    const { code, out } = await answer([
      'explore',
      forgetfulMerchant(late),
      '--within',
      '1d',
      '--schedules',
      '12',
      '--json',
    ])
    expect(code).toBe(1)
    const { unstable, schedules } = JSON.parse(out)
    expect(unstable[0]).toMatchObject({ code: 'app_died', choices: [] })
    expect(schedules.run).toBeGreaterThan(8)
  },
  LONG_MS,
)
