import { expect, it } from 'vitest'
import { asContracted, assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/stk'
/** As published: it breaks the documented limits itself and carries fields of other currencies. */
const sample = () => ({
  description: 'Here is the description',
  phoneNumber: '254700000001',
  amount: 10,
  accountReference: 'Here is the reference',
  callbackUrl: bench.receiver.url(),
  currencyCode: 'KSH',
  channel: 'TZ-AIRTEL-C2B',
  referenceId: '1234',
  narration: 'MOBILE PAYOUT',
  customerName: 'Asha',
})

it('warns of documented limits that its own sample breaks, or refuses', async () => {
  const world = await bench.world()
  await world.post(`${base}/new`, sample())
  const { requests } = await world.control('GET', '/requests')
  expect(requests[0].warnings).toEqual([
    'description: must be at most 13 characters as documented, got 23 characters',
    'accountReference: must be at most 12 letters and digits as documented, got "Here is the reference"',
  ])
  expect(requests[0].unreadFields).toEqual(['channel', 'narration', 'customerName'])

  const strict = await (await bench.world(assuming({ 'documented-limits': 'refuse' }))).post(`${base}/new`, sample())
  expect(strict.status).toBe(400)
  expect(strict.body.error.code).toBe('REQ_INVALID_FIELD')
})

it('warns of letters that nobody sees, in what it takes and in what it refuses', async () => {
  const world = await bench.world()
  await world.post(`${base}/new`, { ...sample(), phoneNumber: '0700000001\u200b', description: 'Rent\ufeff May' })
  const { requests } = await world.control('GET', '/requests')
  const invisible = (field: string, letter: string, at: number) =>
    `${field} has an invisible letter: ${letter} at position ${at}. Remove it where the text comes from.`
  expect(requests[0].warnings).toEqual(
    expect.arrayContaining([invisible('phoneNumber', 'U+200B', 11), invisible('description', 'U+FEFF', 5)]),
  )
})

it('takes whole amounts only', async () => {
  const world = await bench.world()
  for (const amount of [10.5, 0, -1, '10']) {
    const answer = await world.post(`${base}/new`, { ...sample(), amount })
    expect(answer.body.error, String(amount)).toMatchObject({
      code: 'REQ_INVALID_FIELD',
      details: expect.stringMatching(/^amount: must be /),
    })
  }
})

it('takes null for what is optional', async () => {
  const world = await bench.world()
  const answer = await world.post(`${base}/new`, { ...sample(), currencyCode: null, channel: null, referenceId: null })
  asContracted('createStkCollection', answer)
})
