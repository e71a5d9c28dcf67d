import { expect, it } from 'vitest'
import { searchTexts } from '../../../src/inspect/search.ts'
import { countries } from '../../../src/service/countries/countries.ts'
import { payoutTo } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const SEND_MONEY = '/api/sandbox/v1/send-money'

it.each([
  ['salary-1', ['salary-1']],
  ['0712', ['0712', '254712', '255712', '256712']],
  ['+254 712 345 678', ['+254 712 345 678', '254712345678', '0712345678']],
  ['254712345678', ['254712345678', '0712345678']],
  ['0', ['0']],
  ['KES 1,500.00', ['KES 1,500.00', '1500']],
  ['1,500.50', ['1,500.50', '1500.5']],
  ['1500', ['1500']],
])('looks for %j in every spelling', (typed, texts) => {
  expect(searchTexts(countries, typed)).toEqual(texts)
})

it.each(['SALARY-7', 'salary-7', '0712345678', '+254 712 345 678', '254712345678', 'school fees'])(
  'finds payment, callback and request by %j',
  async (typed) => {
    const world = await bench.world()
    const uuid = await bench.pay(world, { referenceId: 'Salary-7', remarks: 'SCHOOL FEES' })
    await bench.pay(world, { phoneNumber: '254799999999', remarks: 'Rent' })
    await world.advance('5s')
    const search = encodeURIComponent(typed)
    const [payments, callbacks, requests] = await Promise.all([
      world.control('GET', `/payments?search=${search}`),
      world.control('GET', `/callbacks?search=${search}`),
      world.control('GET', `/requests?search=${search}`),
    ])
    expect(payments).toMatchObject({ total: 1, payments: [{ uuid }] })
    expect(callbacks.callbacks).toMatchObject([{ payment: uuid, about: { referenceId: 'Salary-7' }, tells: 'SUCCESS' }])
    expect(requests.requests).toMatchObject([{ payment: uuid }])
  },
)

it('takes what is special to the database for itself', async () => {
  const world = await bench.world()
  await bench.pay(world, { remarks: '50%_off "now"' })
  await bench.pay(world, { remarks: '50 off' })
  for (const typed of ['50%', '%_', '"now"'])
    expect((await world.control('GET', `/payments?search=${encodeURIComponent(typed)}`)).total, typed).toBe(1)
})

it('finds what was refused by what the request said, and by what it was answered', async () => {
  const world = await bench.world()
  await bench.pay(world)
  await world.post(SEND_MONEY, payoutTo(bench.receiver.url(), { phoneNumber: '254711000403', remarks: 'Bonus' }))
  const found = async (query: string) => (await world.control('GET', `/requests?${query}`)).requests
  expect(await found('refused=true')).toMatchObject([{ status: 403 }])
  expect(await found('refused=true&search=bonus')).toHaveLength(1)
  expect(await found('refused=true&search=payment_limit')).toHaveLength(1)
  expect(await found('refused=true&search=salary')).toEqual([])
})

it('counts what a search finds only when everything was looked through', async () => {
  const world = await bench.world()
  for (const n of [1, 2, 3]) await bench.pay(world, { referenceId: `salary-${n}` })
  const find = (query: string) => world.control('GET', `/payments?search=salary&${query}`)
  const references = ({ payments }: { payments: { referenceId: string }[] }) =>
    payments.map(({ referenceId }) => referenceId)
  const first = await find('limit=2')
  expect([first.total, references(first)]).toEqual([null, ['salary-3', 'salary-2']])
  const second = await find(`limit=2&before=${first.next}`)
  expect([second.next, references(second)]).toEqual([null, ['salary-1']])
  expect((await find('limit=4')).total).toBe(3)
})

it('begins at the newest payment, however far above it somebody says', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { referenceId: 'far-below' })
  const { payments, next } = await world.control('GET', `/payments?search=far-below&before=${Number.MAX_SAFE_INTEGER}`)
  expect(payments).toMatchObject([{ uuid }])
  expect(next).toBeNull()
})
