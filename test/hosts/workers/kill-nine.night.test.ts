import { expect, onTestFinished, test } from 'vitest'
import { Receiver } from '../../support/harness.ts'
import { startWorkerd, storageDirectory } from '../../support/workers.ts'

// A world as a Durable Object, in the runtime that Cloudflare has too: its storage, its alarms, its end without warning.

const json = { 'content-type': 'application/json' }

test('loses nothing acknowledged when workerd is killed, and the alarm tells the merchant without being asked', async () => {
  const data = storageDirectory()
  const receiver = new Receiver()
  await receiver.start()
  onTestFinished(() => receiver.stop())
  const before = await startWorkerd({ data })
  onTestFinished(() => before.kill())
  const call = async (base: string, path: string, body?: object, token?: string) => {
    const headers = { ...json, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(
      base + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return { status: answer.status, body: await answer.json() }
  }
  const login = { apiKey: 'mfano-key', apiSecret: 'mfano-secret' }
  const { body } = await call(before.baseUrl, '/api/v1/get-token', login)
  const token = body.data.access_token
  const uuids: string[] = []
  const told = new Promise<void>((resolve) => {
    receiver.answer = () => {
      if (uuids.length === 20 && new Set(receiver.received.map((one) => one.body.requestId)).size === 20) resolve()
      return 200
    }
  })
  for (let i = 0; i < 20; i++) {
    const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Salary', occasion: 'January' }
    const paid = { ...payout, callbackUrl: receiver.url() }
    const made = await call(before.baseUrl, '/api/sandbox/v1/send-money', paid, token)
    expect(made).toMatchObject({ status: 201 })
    uuids.push(made.body.data.requestId)
  }
  await before.kill()

  const after = await startWorkerd({ data })
  onTestFinished(() => after.kill())
  // Nobody asks it for anything.
  await told
  const { payments } = (await call(after.baseUrl, '/_mfano/payments')).body
  expect(payments.map(({ uuid, status }: { uuid: string; status: string }) => ({ uuid, status }))).toEqual(
    expect.arrayContaining(uuids.map((uuid) => ({ uuid, status: 'SUCCESS' }))),
  )
  expect((await call(after.baseUrl, '/_mfano/ledger')).body.imbalances).toEqual([])
  expect((await call(after.baseUrl, '/_mfano/callbacks')).body.counts).toMatchObject({ failed: 0 })
  expect(after.said).toEqual([])
})
