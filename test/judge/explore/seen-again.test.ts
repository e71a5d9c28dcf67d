/** What a finding is worth, by whether it comes again: each time, not each time, or only when books are read too soon. */
import { expect, it } from 'vitest'
import { isReadTooSoon, seenAgain } from '../../../src/judge/explore/shrink.ts'

const shows = { findings: [{ code: 'stale', text: 'SUCCESS since noon; the books say PENDING.', requests: [] }] }
const clean = { findings: [] }

it('tells a finding that comes each time from one that does not', () => {
  expect(seenAgain('stale', [shows, shows, shows])).toEqual({ shown: shows, without: undefined })
  expect(seenAgain('stale', [shows, clean, shows])).toEqual({ shown: shows, without: clean })
  expect(seenAgain('paid_twice', [shows])).toEqual({ shown: undefined, without: shows })
})

it('takes books for read too soon that are wrong each time at once, and never later', async () => {
  const never = seenAgain('stale', [clean, clean, clean])
  expect(await isReadTooSoon('stale', never, async () => shows)).toBe(true)
  // Once, and then neither at once nor later: the app does not do the same each time.
  expect(await isReadTooSoon('stale', never, async () => clean)).toBe(false)
  const once = seenAgain('stale', [clean, shows, clean])
  expect(await isReadTooSoon('stale', once, async () => shows)).toBe(false)
})
