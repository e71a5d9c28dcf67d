/** A world over HTTPS for each test of a kit. */
import { describe, expect } from 'vitest'
import { mfanoTest } from '../../../src/apps/testing/vitest.ts'

const test = mfanoTest({ tls: true })

describe('a kit that is told tls', () => {
  test('has worlds at https, which this process trusts', async ({ world, mfano }) => {
    expect(world.baseUrl).toMatch(/^https:/)
    expect(mfano.ca).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect((await fetch(`${world.baseUrl}/_mfano/health`)).status).toBe(200)
    const client = await world.client()
    const callbackUrl = world.inbox('paid').url
    expect(callbackUrl).toMatch(/^https:/)
    const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Pay', occasion: 'Pay', callbackUrl }
    const { data } = await client.createSendMoney(payout)
    await world.clock.advance('5s')
    await world.waitFor('callback', { payment: data.requestId, body: { status: 'SUCCESS' } })
  })
})
