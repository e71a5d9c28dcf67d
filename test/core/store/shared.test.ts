import { expect, test } from 'vitest'
import { HeaderTexts } from '../../../src/core/store/header-texts.ts'
import { Plans } from '../../../src/core/store/plans.ts'

// What many rows share is read and printed once, and is still what each row says.

const plan = (n: number) => ({
  rule: `rule ${n}`,
  trace: 'M',
  afterUs: n,
  end: 'SUCCESS',
  with: { errorCode: n },
  revise: null,
})

test('plans that are alike are one, which nobody can change, and others stay what they are', () => {
  const plans = new Plans()
  for (const round of [1, 2])
    for (let n = 0; n < 500; n++) expect(plans.of(JSON.stringify(plan(n))), `round ${round}`).toEqual(plan(n))
  const text = JSON.stringify(plan(7))
  const shared = plans.of(text)
  plans.of(JSON.stringify(plan(8)))
  expect(plans.of(text)).toBe(shared)
  expect(() => {
    shared.with['errorCode'] = 1
  }).toThrow(TypeError)
})

test('headers are printed as they are by then', () => {
  const texts = new HeaderTexts()
  const [one, other] = [Object.freeze({ accept: 'a' }), Object.freeze({ accept: 'b' })]
  for (const headers of [one, one, other, one]) expect(texts.of(headers)).toBe(JSON.stringify(headers))
  const changing: Record<string, string> = { accept: 'a' }
  expect(texts.of(changing)).toBe('{"accept":"a"}')
  changing['accept'] = 'c'
  expect(texts.of(changing)).toBe('{"accept":"c"}')
})
