/** A finding is one record: its words, what to do, and an example, of which the documentation is made. */

import { expect, it } from 'vitest'
import { UTC } from '../../../src/core/model/calendar.ts'
import { findingRecords } from '../../../src/inspect/finding.ts'
import type { FindingRecord } from '../../../src/inspect/reconcile/findings/finding-record.ts'
import { tell } from '../../../src/inspect/reconcile/sentences.ts'

const all = Object.entries<FindingRecord<unknown>>(findingRecords)

it.each(all)('%s is told in whole sentences', (_, { meaning, todo, sentence, example }) => {
  for (const text of [meaning, todo, sentence(example, UTC)]) {
    expect(text).toMatch(/[.]$/)
    expect(text).not.toMatch(/undefined|null|NaN|\[object/)
  }
})

it('is told by its record, as advice where something speaks for the app', () => {
  const { example, todo } = findingRecords.paid_twice
  expect(tell('paid_twice', example, UTC, { reference: 'salary-1b' })).toEqual({
    code: 'paid_twice',
    level: 'error',
    reference: 'salary-1b',
    text: expect.stringMatching(/^The payout of KES 1,000.00 to 254712345678 \(salary-1b\) was paid, and /),
    todo,
  })
  expect(tell('paid_twice', example, UTC, {}, true).level).toBe('warning')
})

it('does not compile without one of its parts, nor with facts of another finding', () => {
  const whole: FindingRecord<number> = {
    level: 'error',
    meaning: 'A number.',
    todo: 'Nothing.',
    sentence: (n) => `${n}.`,
    example: 1,
  }
  const { level, meaning, todo, sentence, example } = whole
  const cut: FindingRecord<number>[] = [
    // @ts-expect-error a level is missing
    { meaning, todo, sentence, example },
    // @ts-expect-error what it means is missing
    { level, todo, sentence, example },
    // @ts-expect-error what to do is missing
    { level, meaning, sentence, example },
    // @ts-expect-error its sentence is missing
    { level, meaning, todo, example },
    // @ts-expect-error its example is missing
    { level, meaning, todo, sentence },
  ]
  expect(cut).toHaveLength(5)
  // @ts-expect-error a code that no record has
  expect(() => tell('paid_thrice', {}, UTC)).toThrow()
  // @ts-expect-error the facts of another finding
  expect(tell('polled_too_fast', findingRecords.paid_twice.example, UTC).text).toContain('undefined')
})
