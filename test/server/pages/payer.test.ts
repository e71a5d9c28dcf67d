import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { makeSession, statusOf } from './session.ts'

// Who pays decides how it ends: the phone that is asked on the page, and nobody whom the request of the merchant named.

const bench = useBench()

const MPESA = 'MPESA_STK'
const poor = '254712000402'
/** Listed by the default scenario, with 20 shillings. */
const peter = '254711000101'

it.each([
  ['a phone without money, typed on the page', {}, { method: MPESA, phoneNumber: '0712000402' }, 'FAILED'],
  ['a phone that holds less, typed on the page', {}, { method: MPESA, phoneNumber: peter }, 'FAILED'],
  ['a phone that holds enough', { amount: 20 }, { method: MPESA, phoneNumber: peter }, 'SUCCEEDED'],
  ['the phone of the request, which has no money', { customerPhone: `+${poor}` }, { method: MPESA }, 'FAILED'],
  [
    'another phone than that of the request',
    { customerPhone: `+${poor}` },
    { method: MPESA, phoneNumber: '0711000100' },
    'SUCCEEDED',
  ],
  ['a card, whatever phone the request names', { customerPhone: `+${poor}` }, { method: 'CARD' }, 'SUCCEEDED'],
])('is paid by %s', async (_name, asked, by, end) => {
  const world = await bench.world()
  const session = await makeSession(bench, world, asked)
  const before = await world.available()
  await world.control('POST', `/checkout/${session.id}/pay`, by)
  await world.advance('10s')
  expect(await statusOf(world, session)).toBe(end)
  if (end === 'SUCCEEDED') return
  expect(await world.available()).toBe(before)
  expect(bench.receiver.at('/callback')).toMatchObject([{ id: session.id, status: 'FAILED' }])
  const { reason } = await world.control('GET', `/payments/${session.id}`)
  expect(reason).toMatchObject({ code: 'insufficient-funds', says: 'There is too little money for it' })
})

it('has no money left where it paid before', async () => {
  const world = await bench.world()
  for (const end of ['SUCCEEDED', 'FAILED']) {
    const session = await makeSession(bench, world, { amount: 15 })
    await world.control('POST', `/checkout/${session.id}/pay`, { method: MPESA, phoneNumber: peter })
    await world.advance('10s')
    expect(await statusOf(world, session)).toBe(end)
  }
})
