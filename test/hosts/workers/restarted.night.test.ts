/** A deployment that is restarted comes back whole: all that an object knows is in its storage. */
import { expect, onTestFinished, test } from 'vitest'
import { startWorkerd, storageDirectory } from '../../support/workers.ts'
import { callerOf } from './caller.ts'

/** What is asked of the world before and after. */
const ASKED = [
  ...'/clock /scenario /payments /ledger /wallets /callbacks /requests /snapshots /inbox/mine'.split(' '),
  ...'/organisations /handset/254712345678 /statistics'.split(' '),
]

const scenario = `name: restarted
description: What is paid in waits for the phone, and payouts take a day.
rules:
  - { name: slow, on: send-money, then: { after: 1d, end: SUCCESS } }
`

test('a world answers after a restart as before it, and goes on where it was', async () => {
  const data = storageDirectory()
  const before = await startWorkerd({ data })
  onTestFinished(() => before.kill())
  const old = callerOf(before.baseUrl, 'restarted')
  await old.make({ clock: { mode: 'frozen', start: '2025-01-24T16:28:00Z' }, scenario })
  await old.control('POST', '/inbox/mine')
  const paid = await old.pay({ callbackUrl: `${old.baseUrl}/_mfano/inbox/mine` })
  await old.control('POST', '/snapshots', { name: 'kept' })
  await old.control('POST', '/clock/advance', { by: '2m' })
  await old.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 250, accountReference: 'A1' })
  const answers = async (world: ReturnType<typeof callerOf>) =>
    Object.fromEntries(await Promise.all(ASKED.map(async (path) => [path, await world.control('GET', path)])))
  const known = await answers(old)
  await before.kill()

  const after = await startWorkerd({ data })
  onTestFinished(() => after.kill())
  const world = callerOf(after.baseUrl, 'restarted', old.token())
  const told = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll(before.baseUrl, after.baseUrl))
  expect(told(await answers(world))).toEqual(told(known))
  // The token of before is good, and the clock goes on from where it stood.
  expect((await world.post('/send-money', {})).status).toBe(400)
  await world.control('POST', '/clock/advance', { by: '1d' })
  expect(await world.control('GET', `/payments/${paid}`)).toMatchObject({ status: 'SUCCESS' })
  await world.control('POST', '/snapshots/kept/restore')
  expect(await world.control('GET', `/payments/${paid}`)).toMatchObject({ status: 'PENDING' })
  expect(after.said).toEqual([])
})
