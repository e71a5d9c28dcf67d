import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { worldOfTest } from '../../../src/apps/testing/fixture.ts'
import {
  type Advanced,
  type CallbackDetail,
  type CallbackSummary,
  connectMfano,
  type InboxMessage,
  type Mfano,
  type MfanoError,
  type PaymentDetail,
  type PaymentSummary,
  type RequestEntry,
  type ServiceError,
  type Settled,
  startMfano,
} from '../../../src/apps/testing/index.ts'
import { mfanoTest } from '../../../src/apps/testing/vitest.ts'
import type { CheckoutRequest } from '../../../src/client/service.gen.ts'
import type { explainPayment } from '../../../src/inspect/explain-payment.ts'
import type {
  callbackDetail,
  callbackSummary,
  inboxMessage,
  paymentSummary,
  requestEntry,
  timeline,
  transferShown,
} from '../../../src/inspect/present.ts'
import type { advanced, settled } from '../../../src/server/control/clock.ts'
import { folder } from '../../support/folder.ts'

// What the doc comments of src/apps/testing show is tested by test/apps/testing/examples; here is the rest.

let mfano: Mfano
beforeAll(async () => {
  mfano = await startMfano({ adminToken: 's3cret' })
})
afterAll(() => mfano.close())

const chairs: CheckoutRequest = {
  amount: 900,
  currency: 'KES',
  description: 'Two chairs',
  successUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  paymentMethods: ['CARD', 'MPESA_STK'],
}
const till = { businessNumber: '123456', amount: 250, remarks: 'Lunch', occasion: 'Monday' }

describe('a world', () => {
  it('of a test is called after it', async () => {
    const idsOf = async (...tests: string[]) => {
      const worlds = await Promise.all(tests.map((test) => worldOfTest(mfano, {}, test)))
      await Promise.all(worlds.map((world) => world.close()))
      return worlds.map(({ id }) => id)
    }
    expect(await idsOf('The café pays 2,500 shillings late', 'l'.repeat(80), 'default')).toEqual([
      'the-cafe-pays-2-500-shillings-late',
      'l'.repeat(48),
      'default-2',
    ])
    expect((await idsOf('pays', 'pays', 'pays')).sort()).toEqual(['pays', 'pays-2', 'pays-3'])
    expect(await idsOf('pays', '支払い')).toEqual(['pays', expect.stringMatching(/^w\d+$/)])
    await using asked = await worldOfTest(mfano, { id: 'mine' }, 'pays')
    expect(asked.id).toBe('mine')
  })

  it('is gone when it is closed, and empty when it is reset', async () => {
    const world = await mfano.world({ id: 'short-lived' })
    await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 10 })
    await world.reset()
    expect((await world.payment.list()).payments).toEqual([])
    await world.close()
    await expect(world.clock.now()).rejects.toMatchObject({ code: 'WORLD_NOT_FOUND', status: 404 })
    await mfano.world({ id: 'short-lived' })
  })

  it('goes on from another, or from a snapshot, at its time and with its money', async () => {
    const prepared = await mfano.world({ scenario: 'stuck-pending', seed: 9 })
    const { uuid } = await prepared.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 10 })
    await prepared.clock.advance('1h')
    const { name, now } = await prepared.snapshot.save({ name: 'an-hour-on', note: 'one payment hangs' })
    await prepared.payment.resolve({ id: uuid, status: 'FAILED' })
    const fork = await prepared.fork({ id: 'fork', scenario: 'default' })
    expect([await fork.clock.now(), (await fork.payment.show({ id: uuid })).status]).toEqual([now, 'FAILED'])
    const saved = await mfano.world({ from: `${prepared.id}/${name}` })
    expect([await saved.clock.now(), (await saved.payment.show({ id: uuid })).status]).toEqual([now, 'PENDING'])
    const { snapshots } = await prepared.snapshot.list()
    expect(snapshots).toMatchObject([{ name, world: prepared.id, note: 'one payment hangs' }])
    await prepared.snapshot.delete({ name })
    await expect(prepared.snapshot.restore({ name })).rejects.toMatchObject({ status: 404 })
    await expect(mfano.world({ from: prepared.id, seed: 1 })).rejects.toThrow(/seed: must be left out beside from/)
  })

  it('begins when and as it is told', async () => {
    const at = await mfano.world({ clock: { mode: 'scaled', rate: 60, start: new Date('2025-06-01T00:00:00Z') } })
    expect(await at.clock.show()).toMatchObject({ mode: 'scaled', rate: 60, now: /^2025-06-01T/ })
    expect((await at.clock.set({ mode: 'frozen' })).mode).toBe('frozen')
    const scenario = { name: 'noon', description: 'At noon.', clock: { mode: 'frozen', start: '2025-03-01T12:00:00' } }
    const asItSays = await mfano.world({ scenario, clock: 'scenario' })
    expect(await asItSays.clock.now()).toBe('2025-03-01T12:00:00.000000Z')
  })

  it('pays a session as the payer would on the page, by its operations', async () => {
    const world = await mfano.world()
    const client = await world.client()
    const session = async () => (await client.createCheckoutSession(chairs)).data.id
    const id = await session()
    await world.checkout.pay({ id, method: 'CARD' })
    await world.clock.advance('1m')
    expect((await world.payment.show({ id })).status).toBe('SUCCEEDED')
    const declined = { number: '4000 0000 0000 0002', expiry: '12/99', cvc: '123' }
    expect((await world.checkout.pay({ id: await session(), method: 'CARD', card: declined })).status).toBe(
      'PROCESSING',
    )
    expect((await world.checkout.cancel({ id: await session() })).cancelUrl).toBe('https://shop.example/cart')
  })

  it('has another key pair of its organisation, which no copy of its credentials holds', async () => {
    const world = await mfano.world()
    const second = await world.credentials.create({ uuid: world.credentials.companyId })
    await (await world.client(second)).listPaybillPayments()
    expect(Object.keys({ ...world.credentials })).toEqual(['apiKey', 'apiSecret', 'companyId'])
  })
})

describe('an error says what was wrong and what to do', () => {
  const failing = async (doing: Promise<unknown>): Promise<MfanoError> =>
    doing.then(
      () => expect.fail(),
      (error) => error,
    )

  it('of the control plane', async () => {
    const world = await mfano.world()
    const error = await failing(world.payment.show({ id: 'nobody' }))
    expect(error).toMatchObject({ name: 'MfanoError', code: 'NOT_FOUND', status: 404 })
    expect(error.message).toMatch(
      /^GET http.*\/payments\/nobody answered 404 NOT_FOUND.*\n.*world\.payment\.list\(\) lists/,
    )
  })

  it('of the service, whatever its form', async () => {
    const world = await mfano.world({
      scenario: { name: 'flat', description: 'Flat errors.', assumptions: { 'error-body': 'flat' } },
    })
    const client = await world.client()
    const nobody = '00000000-0000-4000-8000-00000000dead'
    const flat: ServiceError = await client
      .getTillPayment({ requestId: nobody, companyId: world.credentials.companyId })
      .catch((error) => error)
    expect(flat).toMatchObject({ name: 'ServiceError', code: 'RESOURCE_NOT_FOUND', status: 404 })
    const fields: ServiceError = await client.createCheckoutSession({} as never).catch((error) => error)
    expect(fields).toMatchObject({ status: 400, details: /amount/ })
    expect((await world.requests.list({ requestId: fields.answer.requestId ?? '' })).requests.length).toBe(1)
  })

  it('of a call that the scenario cuts off', async () => {
    const world = await mfano.world({
      scenario: { name: 'cut', description: 'Cuts.', faults: [{ on: 'createTillPayment', then: { reset: true } }] },
    })
    const client = await world.client()
    const error = await failing(client.createTillPayment({ ...till, callbackUrl: world.inbox('till').url }))
    expect(error).toMatchObject({ code: 'NO_ANSWER', hint: /A fault of the scenario/ })
  })

  it('of a path where a path cannot be, a wrong token, and of nobody there', async () => {
    expect(await failing(mfano.world({ scenario: './my.yaml' }))).toMatchObject({
      hint: /startMfano\(\{ scenario \}\)/,
    })
    expect(await failing(connectMfano({ url: mfano.url }))).toMatchObject({ code: 'ADMIN_TOKEN_NEEDED', status: 401 })
    expect(await failing(startMfano({ port: 70_000 }))).toMatchObject({ code: 'BAD_OPTIONS', details: /70000/ })
    expect(await failing(startMfano({ scenario: './none.yaml' }))).toMatchObject({ details: /none\.yaml/ })
    const closed = await startMfano()
    await closed.close()
    expect(await failing(closed.world())).toMatchObject({ code: 'NO_ANSWER', hint: /startMfano/ })
  })
})

describe('waiting', () => {
  it('says what came nearest, and why nothing more comes', async () => {
    const world = await mfano.world()
    await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 10, referenceId: 'order-7' })
    const vain = world.waitFor('payment', { referenceId: 'order-7', status: 'SUCCESS' }, { timeout: '20ms' })
    const error = await vain.catch((error) => error)
    expect(error).toMatchObject({ code: 'WAIT_TIMED_OUT', status: 408 })
    expect(error.message).toMatch(/payment\.status is "PENDING". The clock is frozen/)
  })

  it('understands examples with bodies, lists, strange names and quotes, and CEL', async () => {
    const world = await mfano.world()
    const inbox = world.inbox('all')
    const send = (body: unknown) => fetch(inbox.url, { method: 'POST', body: JSON.stringify(body) })
    await send({ 'x-y': { list: [1, { z: 'a "b" \\ \n' }], none: null, yes: true }, extra: 1 })
    await send({ 'x-y': { list: [2] } })
    const first = { 'x-y': { list: [1, { z: 'a "b" \\ \n' }], none: null, yes: true } }
    expect((await inbox.waitFor({ body: first })).body).toMatchObject(first)
    expect((await inbox.waitFor('body["x-y"].list[0] == 2')).id).toBe(2)
    expect((await inbox.waitFor()).id).toBe(2)
    await expect(world.inbox('other').waitFor({}, { timeout: '20ms' })).rejects.toThrow('message.name is "all"')
    await expect(inbox.waitFor('body.x ==')).rejects.toMatchObject({ status: 400 })
    const misplaced = { timeout: '20ms' } as object
    await expect(inbox.waitFor(misplaced)).rejects.toThrow("waitFor({}, { timeout: '5s' })")
  })

  it('waits for so many, told of payments that look so', async () => {
    const world = await mfano.world()
    const three = world.waitForSome('callback', 3, { state: 'delivered', payment: { kind: 'stk', amount: 10 } })
    for (let i = 0; i < 3; i++)
      await world.payment.collect({
        way: 'stk',
        phoneNumber: '254712345678',
        amount: 10,
        callbackUrl: world.inbox('all').url,
      })
    await world.clock.advance('1m')
    expect(new Set((await three).map(({ uid }) => uid)).size).toBe(3)
  })
})

it('verifies how many payments and callbacks there are', async () => {
  const world = await mfano.world()
  for (const amount of [10, 20])
    await world.payment.collect({
      way: 'stk',
      phoneNumber: '254712345678',
      amount,
      callbackUrl: world.inbox('all').url,
    })
  await world.clock.advance('1m')
  await world.verify('payment', { kind: 'stk', status: 'SUCCESS' }, { exactly: 2 })
  const delivered = world.verify('callback', { state: 'delivered' }, { atLeast: 1, atMost: 2 })
  expect(await delivered).toMatchObject({ found: 2 })
  const wrong = world.verify('payment', { kind: 'stk' }, { exactly: 1 })
  await expect(wrong).rejects.toMatchObject({ code: 'NOT_SO', details: 'found 2, expected exactly 1' })
})

it('streams what happens, of the kinds that are asked for, until the loop is left or the world goes', async () => {
  const world = await mfano.world()
  const events = await world.events({ types: ['payment', 'inbox'] })
  await world.payment.collect({
    way: 'stk',
    phoneNumber: '254712345678',
    amount: 10,
    callbackUrl: world.inbox('told').url,
  })
  await world.clock.advance('1m')
  const seen: unknown[] = []
  for await (const event of events) {
    seen.push(event.type === 'payment' ? [event.from, event.to] : event.type)
    if (event.type === 'inbox') break
  }
  expect(seen).toEqual([[null, 'PENDING'], ['PENDING', 'SUCCESS'], 'inbox'])
  const more = await world.events()
  await world.close()
  expect(await more.next()).toEqual({ done: true, value: undefined })
})

it('starts with a scenario file, whose worlds all follow it', async () => {
  const rent = 'name: rent\ndescription: Rent.\nrules: [{ name: late, on: stk, then: { after: 1h, end: SUCCESS } }]\n'
  await using started = await startMfano({ scenario: join(folder({ 'rent.yaml': rent }), 'rent.yaml'), seed: 3 })
  const world = await started.world()
  expect((await world.scenario.explain({ kind: 'stk', request: { amount: 10 } })).rule).toBe('late')
  await world.scenario.use({ body: 'flaky-rail' })
  expect((await world.hits.list()).scenario).toBe('flaky-rail')
})

it('describes what the control plane answers', () => {
  expectTypeOf<ReturnType<typeof paymentSummary>>().toExtend<PaymentSummary>()
  expectTypeOf<ReturnType<typeof timeline>>().toExtend<PaymentDetail['timeline']>()
  expectTypeOf<ReturnType<typeof transferShown>>().toExtend<PaymentDetail['transfers'][number]>()
  expectTypeOf<ReturnType<typeof callbackSummary>>().toExtend<CallbackSummary>()
  expectTypeOf<ReturnType<typeof callbackDetail>>().toExtend<CallbackDetail>()
  expectTypeOf<ReturnType<typeof inboxMessage>>().toExtend<InboxMessage>()
  expectTypeOf<ReturnType<typeof requestEntry>>().toExtend<RequestEntry>()
  expectTypeOf<ReturnType<typeof advanced>>().toExtend<Advanced>()
  expectTypeOf<Omit<ReturnType<typeof settled>, 'happened' | 'matched'>>().toExtend<Settled>()
  expectTypeOf<ReturnType<typeof explainPayment>>().toExtend<
    PaymentDetail['explanation'] & { payment: PaymentSummary }
  >()
})

// A world over HTTPS for each test of a kit.

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
