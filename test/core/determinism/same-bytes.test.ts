import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { type Answer, Receiver, START, type TestWorld, useBench } from '../../support/harness.ts'
import { dump } from '../../support/inside.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

// Same seed, same commands, same clock: the same bytes, in every answer, every callback and every table.

const bench = useBench()

const scenario = `
name: signed-and-retried
description: The default world, with signed callbacks that are tried three times, and odds on some payouts.
callbacks: { retry: { attempts: 3, backoff: [10s, 1m] }, signatureTime: world }
assumptions: { callback-signature: standard-webhooks }
rules:
  - { name: some tills fail, on: till, chance: 0.4, when: request.amount < 100, then: { after: 1s..5m, end: FAILED } }
  - { name: the second paybill is refused, on: paybill, nth: 2, then: { refuse: { code: RESOURCE_LOCKED } } }
`

/** A merchant whose endpoints are slow by chance, real chance: answers come in another order every time. */
function unsteady(receiver: Receiver) {
  const heard = new Map<string, number>()
  receiver.answer = async ({ path, text }) => {
    await pass(Math.random() * 8)
    const times = (heard.get(path + text) ?? 0) + 1
    heard.set(path + text, times)
    if (path === '/broken') return 500
    return path === '/second-time' && times < 2 ? 503 : 200
  }
}

/** Notes the exact bytes of every answer that a script gets. */
class Script {
  readonly answers: string[] = []
  readonly world: TestWorld
  readonly told: (path: string) => string

  constructor(world: TestWorld, told: (path: string) => string) {
    this.world = world
    this.told = told
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the script to use
  async note(asking: Promise<Answer>): Promise<any> {
    const { status, text, headers } = await asking
    // How long a receiver took is real time.
    const steady = text.replace(/"tookMs":\d+/g, '"tookMs":0')
    this.answers.push(`${status} ${headers.get('mfano-request-id')} ${headers.get('mfano-rule')} ${steady}`)
    return JSON.parse(text)
  }

  post(path: string, body: object) {
    return this.note(this.world.post(`/api/sandbox/v1${path}`, body))
  }

  get(path: string) {
    return this.note(this.world.get(`/api/sandbox/v1${path}`))
  }

  async control(method: string, path: string, body: object = {}) {
    // An advance counts the callbacks that it waited for; those still on their way from before are not to be among them.
    if (path === '/clock/advance') await this.world.advance('0s')
    return this.note(this.world.raw(method, `/_mfano${path}`, method === 'GET' ? {} : { body }))
  }
}

/** Payments of every kind, errors of every sort, and time in between; ends with much still under way. */
async function firstHalf(script: Script) {
  const { world, told } = script
  const mobile = { remarks: 'Salary', occasion: 'January', currencyCode: 'KSH' }
  for (const [phoneNumber, amount, path, more] of [
    ['254712345678', 1000.5, '/fine'],
    ['254711000404', 10, '/second-time'],
    ['254711000202', 20, '/fine', { referenceId: 'r-1' }],
    ['254711000429', 20, '/fine'],
    ['254712345678', 99_000_000, '/fine'],
  ] as const)
    await script.post('/send-money', { ...mobile, phoneNumber, amount, callbackUrl: told(path), ...more })
  await script.post('/send-money', { phoneNumber: 'nobody', amount: 'much' })
  await script.note(world.raw('POST', '/api/sandbox/v1/send-money', { body: '{not json' }))
  await script.note(world.raw('DELETE', '/api/sandbox/v1/send-money'))
  await script.note(world.raw('GET', '/api/sandbox/v1/nothing-here'))
  for (let amount = 10; amount < 20; amount++) {
    await script.post('/till', { ...bodies.till(told(amount % 2 ? '/fine' : '/second-time')), amount })
    await script.post('/paybill', { ...bodies.paybill(told('/broken')), amount })
  }
  await script.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl: told('/fine') })
  // Told at once, in the background: whatever it does must not show in what comes next.
  await script.control('POST', '/collections/bank', { amount: 250 })
  await script.post('/stk/new', { ...bodies.stk(told('/fine')), amount: 30 })
  await script.control('POST', '/collections/stk', { phoneNumber: '254711000408', amount: 31 })
  await script.post('/bank/payout/new', { ...bodies.bankPayout(told('/second-time')), amount: 75 })
  const session = {
    currency: 'KES',
    description: 'Order',
    successUrl: told('/'),
    cancelUrl: told('/'),
    paymentMethods: ['CARD'],
  }
  await script.post('/checkout-sessions', { ...session, amount: 201.01, callbackUrl: told('/fine') })
  await script.post('/checkout-sessions', {
    ...session,
    amount: 999,
    callbackUrl: told('/fine'),
    externalReference: 'order-1',
  })
  await script.control('POST', '/clock/advance', { by: '4s' })
}

/** Sub-accounts, an operator's hand, and all the rest of time. */
async function secondHalf(script: Script) {
  const { world, told } = script
  await script.post('/multiaccount/subscribe', {})
  const shop = await script.post('/multiaccount/new/organisation', bodies.subAccount())
  const sides = { fromOrganisationId: world.companyId, toOrganisationId: shop.data.uuid }
  const allocation = await script.post('/allocations/new', { ...sides, amount: 40 })
  await script.get(`/allocations/single/cancel?allocationId=${allocation.data.requestId}`)
  await script.control('POST', `/organisations/${shop.data.uuid}/credentials`)
  await script.get('/till/all')
  await script.get(`/send-money/single?requestId=r-1&companyId=${world.companyId}`)
  const { payments } = await script.control('GET', '/payments?status=PENDING&kind=send-money')
  await script.control('POST', `/payments/${payments[0].uuid}/resolve`, {
    status: 'FAILED',
    with: { responseDescription: 'by hand' },
  })
  await script.control('POST', `/payments/${payments[0].uuid}/resolve`, { status: 'SUCCESS' })
  await script.control('POST', '/clock/advance', { by: '30s' })
  await script.control('POST', '/callbacks/1/redeliver')
  await script.control('POST', '/wallets/fund', { currency: 'KES', amount: 12.34 })
  await script.post('/send-money', {
    phoneNumber: '256771000100',
    amount: 5,
    currencyCode: 'UGX',
    narration: 'x',
    customerName: 'Sarah N',
    callbackUrl: told('/fine'),
  })
  await script.control('POST', '/clock/advance', { by: '2h' })
  world.logout()
  await script.get('/bank/payout/all')
  await script.control('GET', '/ledger')
}

/** What a world has stored, sent and answered. Arrivals of one instant come in any order, so they are sorted. */
function everything(script: Script, receiver: Receiver) {
  const arrivals = receiver.received.map(
    ({ path, headers, text }) =>
      `${path} ${headers['webhook-id']} ${headers['webhook-timestamp']} ${headers['webhook-signature']} ${text}`,
  )
  return { answers: script.answers, arrivals: arrivals.sort(), tables: dump(script.world.inside) }
}

async function run(seed: number) {
  bench.receiver.received.length = 0
  unsteady(bench.receiver)
  const world = await bench.world({ id: 'same', seed, scenario })
  const script = new Script(world, (path) => bench.receiver.url(path))
  await firstHalf(script)
  await secondHalf(script)
  await world.advance('0s')
  const all = everything(script, bench.receiver)
  bench.simulator.worlds.remove('same')
  return all
}

test('the same seed and the same commands give the same bytes', async () => {
  const [first, second] = [await run(7), await run(7)]
  expect(second.answers).toEqual(first.answers)
  expect(second.arrivals).toEqual(first.arrivals)
  expect(second.tables).toEqual(first.tables)
  expect(first.arrivals.length).toBeGreaterThan(40)
})

test('another seed gives other ids and other odds', async () => {
  const [first, second] = [await run(7), await run(8)]
  const uuids = (all: typeof first) =>
    all.tables['payment']?.map((row) => JSON.parse((row as { opened: string }).opened).uuid as string) ?? []
  expect(uuids(second)).toHaveLength(uuids(first).length)
  expect(uuids(second).filter((uuid) => uuids(first).includes(uuid))).toEqual([])
  const fates = (all: typeof first) => all.tables['payment']?.map((row) => (row as { status: string }).status)
  expect(fates(second)).not.toEqual(fates(first))
})

type Started = Awaited<ReturnType<typeof startOn>>
/** What may come between the halves: gives the server and the world in which the script goes on. */
type Between = (server: Started, directory: string) => Promise<{ server: Started; id: string }>

/** The script in two halves on a server of its own; gives all of it, without what may differ: addresses, and the fork's name. */
async function inHalves(between: Between, ...flags: string[]) {
  const directory = dataDirectory()
  const receiver = new Receiver()
  await receiver.start()
  unsteady(receiver)
  const first = await startOn(directory, ...flags)
  first.worlds.create({
    id: 'same',
    seed: 7,
    scenario,
    clock: { mode: 'frozen', startUs: Date.parse(`${START}Z`) * 1000 },
  })
  const begun = new Script(first.world('same'), (path) => receiver.url(path))
  await firstHalf(begun)
  const { server, id } = await between(first, directory)
  const ended = new Script(server.world(id), (path) => receiver.url(path))
  await secondHalf(ended)
  await ended.world.advance('0s')
  const addresses = [first.baseUrl, server.baseUrl, receiver.url('')]
  const text = addresses
    .reduce(
      (masked, address) => masked.replaceAll(address, 'http://somewhere'),
      JSON.stringify([begun.answers, everything(ended, receiver)]),
    )
    .replaceAll(`/w/${id}`, '/w/same')
    .replaceAll(',\\"formerIds\\":[\\"same\\"]', '')
    // A callback's signature covers its body, and the bank collection's body holds its own address with the port.
    .replaceAll(/v1,\S+/g, 'v1,…')
  await server.close()
  await receiver.stop()
  return JSON.parse(text)
}

const nothing: Between = async (server) => ({ server, id: 'same' })
const between: Record<string, { happens: Between; flags?: string[] }> = {
  'a restart in the middle': {
    happens: async (server, directory) => {
      await server.close()
      return { server: await startOn(directory), id: 'same' }
    },
  },
  'being closed whenever it is idle': { happens: nothing, flags: ['--open-worlds', '1'] },
  'going on in a fork': {
    happens: async (server) => ({ server, id: (await server.worlds.fork({ from: 'same', id: 'other' })).id }),
  },
  'being saved, and taken back from quite another state': {
    happens: async (server) => {
      const world = server.world('same')
      await world.control('POST', '/snapshots', { name: 'middle' })
      await world.control('POST', '/reset')
      await world.control('PUT', '/scenario', { name: 'other', description: 'Something else.' })
      await world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 31 })
      await world.advance('1h')
      await server.worlds.restore('same', { world: 'same', name: 'middle' })
      return { server, id: 'same' }
    },
  },
}

test.each(Object.entries(between))('%s changes no byte of what comes after', async (_, { happens, flags = [] }) => {
  const [plain, changed] = [await inHalves(nothing), await inHalves(happens, ...flags)]
  expect(changed).toEqual(plain)
})
