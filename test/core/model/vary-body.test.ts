/** Bodies under the assumption about extra fields. */
import { expect, it } from 'vitest'
import { variedBody } from '../../../src/core/model/faults.ts'
import { float } from '../../../src/core/model/json.ts'

const assumptions = { 'extra-fields': 'some' } as const

it('is the body itself by default', () => {
  const body = { data: {} }
  expect(variedBody(body, { assumptions: { 'extra-fields': 'none' }, seed: 1 }, 'x')).toBe(body)
})

it('adds fields at the end, in records and in the lists of them', () => {
  const body = { status: 201, message: 'Created', data: { id: 1, amount: 2, items: [{ id: 1 }] } }
  const more = variedBody(body, { assumptions, seed: 5 }, 'x 201') as typeof body
  expect(Object.keys(more)).toEqual(['status', 'message', 'data', expect.any(String)])
  expect(Object.keys(more.data)).toEqual(['id', 'amount', 'items', expect.any(String)])
  expect(Object.keys(more.data.items[0] ?? {})).toEqual(['id', expect.any(String)])
  expect(variedBody(body, { assumptions, seed: 5 }, 'x 201')).toEqual(more)
})

it('changes no value, and prints numbers as they were', () => {
  const body = { status: 201, data: { amount: float(100_000), items: [{ id: 1 }, { id: 2 }] } }
  const changed = variedBody(body, { assumptions, seed: 5 }, 'createSendMoney 201') as typeof body
  expect(changed).toMatchObject({ status: 201, data: {} })
  expect(changed.data.items.map(({ id }) => id)).toEqual([1, 2])
  expect(JSON.stringify(changed)).toContain('"amount":1000.0')
})
