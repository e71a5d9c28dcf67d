import { expect, it } from 'vitest'
import { parseDuration, shortDuration, withShortDurations } from '../../../src/core/model/time.ts'

it.each([
  ['0s', '0 s'],
  ['250ms', '250 ms'],
  ['4s', '4 s'],
  ['3s482ms', '3.4 s'],
  ['59s999ms', '59.9 s'],
  ['1m', '1 min'],
  ['1m30s', '1 min 30 s'],
  ['2h0m10s', '2 h'],
  ['1d23h57m10s713ms', '1 d 23 h'],
  ['1mo', '30 d'],
  ['P1M', '30 d'],
  ['PT1M', '1 min'],
  ['P1DT12H', '1 d 12 h'],
])('reads %s as %s', (exact, short) => {
  expect(shortDuration(parseDuration(exact) as number)).toBe(short)
})

it('shortens in a sentence what is too exact, and keeps what somebody wrote or may send', () => {
  const text = 'after 2s SUCCESS, then after 44h..52h FAILED; taken back 1d22h19m3s83ms later: {"by":"1d22h19m3s83ms"}'
  expect(withShortDurations(text)).toBe(
    'after 2s SUCCESS, then after 44h..52h FAILED; taken back 1 d 22 h later: {"by":"1d22h19m3s83ms"}',
  )
  expect(withShortDurations('1d20h..2d4h, req_1d20h, 0f1d2h-9')).toBe('1d20h..2d4h, req_1d20h, 0f1d2h-9')
  expect(withShortDurations('+1h0m2s ')).toBe('+1 h ')
})
