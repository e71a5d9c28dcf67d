import { expect, it } from 'vitest'
import * as z from 'zod'
import { closedObject, openObject } from '../../../src/service/requests/lazy-objects.ts'

it.each([
  ['an answer', closedObject],
  ['a request', openObject],
] as const)('makes the fields of %s once, when they are first asked for', (_, made) => {
  let times = 0
  const schema = made(() => {
    times++
    return { amount: z.number() }
  }).meta({ id: 'Lazy' })
  expect(times).toBe(0)
  expect(schema.parse({ amount: 5 })).toEqual({ amount: 5 })
  expect(Object.keys(schema.shape)).toEqual(['amount'])
  expect(schema.safeParse({ amount: 'five' }).success).toBe(false)
  expect(times).toBe(1)
})

it('refuses more fields of an answer, and leaves those of a request out', () => {
  const fields = () => ({ amount: z.number() })
  expect(closedObject(fields).safeParse({ amount: 5, more: 1 }).success).toBe(false)
  expect(openObject(fields).parse({ amount: 5, more: 1 })).toEqual({ amount: 5 })
})
