import { expect, test } from 'vitest'
import { ReadAhead } from '../../../src/core/store/read-ahead.ts'

test('rows that were read together are given once each, in whatever order they are asked for', () => {
  const ahead = new ReadAhead<string>()
  for (const number of [7, 3, 9, 4]) ahead.add(number, `row ${number}`)
  expect([7, 3, 3, 4, 9, 4, 5].map((number) => ahead.take(number))).toEqual([
    'row 7',
    'row 3',
    undefined,
    'row 4',
    'row 9',
    undefined,
    undefined,
  ])
})

test('what was not asked for is forgotten, and the next rows begin anew', () => {
  const ahead = new ReadAhead<string>()
  ahead.add(1, 'old')
  ahead.add(2, 'old')
  ahead.take(1)
  ahead.forget()
  expect(ahead.take(2)).toBeUndefined()
  ahead.add(2, 'new')
  expect(ahead.take(2)).toBe('new')
})
