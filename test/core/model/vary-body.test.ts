/** Bodies under the assumptions about extra fields and their order. */
import { expect, it } from 'vitest'
import { variedBody } from '../../../src/core/model/vary-body.ts'
import { float } from '../../../src/core/model/wire.ts'

const all = { 'extra-fields': 'some', 'field-order': 'another' } as const

it('is the body itself by default', () => {
  const body = { data: {} }
  expect(variedBody(body, { assumptions: { 'extra-fields': 'none', 'field-order': 'as-shown' }, seed: 1 }, 'x')).toBe(
    body,
  )
})

it('adds fields at the end where the order stays, and none where only the order is another', () => {
  const body = { status: 201, message: 'Created', data: { id: 1, amount: 2 } }
  const more = variedBody(body, { assumptions: { ...all, 'field-order': 'as-shown' }, seed: 5 }, 'x 201') as typeof body
  expect(Object.keys(more)).toEqual(['status', 'message', 'data', expect.any(String)])
  expect(Object.keys(more.data)).toEqual(['id', 'amount', expect.any(String)])
  const other = variedBody(body, { assumptions: { ...all, 'extra-fields': 'none' }, seed: 5 }, 'x 201')
  expect(other).toEqual(body)
})

it('changes no value, and prints numbers as they were', () => {
  const body = { status: 201, data: { amount: float(100_000), items: [{ id: 1 }, { id: 2 }] } }
  const changed = variedBody(body, { assumptions: all, seed: 5 }, 'createSendMoney 201') as typeof body
  expect(changed).toMatchObject({ status: 201, data: {} })
  expect(changed.data.items.map(({ id }) => id).sort()).toEqual([1, 2])
  expect(JSON.stringify(changed)).toContain('"amount":1000.0')
})

it('shuffles lists inside records, and leaves a list that is the answer as its assumption has it', () => {
  const record = (id: number) => ({ id, methods: ['CARD', 'MPESA_STK', 'BANK'] })
  const body = { data: [record(1), record(2), record(3)] }
  const varied = (seed: number) => variedBody(body, { assumptions: all, seed }, 'list 200') as typeof body
  const seeds = Array.from({ length: 20 }, (_, seed) => seed)
  for (const seed of seeds) {
    const { data } = varied(seed)
    expect(data.map(({ id }) => id)).toEqual([1, 2, 3])
    for (const { methods } of data) expect(methods.toSorted()).toEqual(['BANK', 'CARD', 'MPESA_STK'])
    expect(varied(seed)).toEqual(varied(seed))
  }
  expect(new Set(seeds.map((seed) => String(varied(seed).data[0]?.methods))).size).toBeGreaterThan(2)
  expect(variedBody([1, 2, 3], { assumptions: all, seed: 4 }, 'getWalletBreakdown 200')).toEqual([1, 2, 3])
})
