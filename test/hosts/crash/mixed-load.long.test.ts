import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { Chance } from '../../../src/core/model/chance.ts'
import { START } from '../../support/harness.ts'
import { dataDirectory } from '../../support/restart.ts'
import { type Merchant, merchant, owed, payout, stored } from './load.ts'
import { type Any, gone, type Started, start } from './started.ts'

// The real program with several worlds, running and frozen clocks and several kinds of payment, killed at any moment.
// MFANO_CRASH_ROUNDS=288 does it for a quarter of an hour.

const ROUNDS = Number(process.env['MFANO_CRASH_ROUNDS'] ?? 6)
const file = `${import.meta.dirname}/mixed.yaml`
const SCENARIO = ['--scenario', file]
const scenario = parse(readFileSync(file, 'utf8'))

const worlds = [
  { id: 'default', clock: { mode: 'realtime' } },
  { id: 'fast', clock: { mode: 'scaled', rate: 20, start: START } },
  { id: 'frozen', clock: { mode: 'frozen', start: START } },
]
type Shop = (typeof worlds)[number] & { merchant: Merchant; round: Set<string>; underWay: PromiseWithResolvers<void> }

const ways: [path: string, body: (url: string) => object][] = [
  ['/send-money', payout],
  [
    '/till',
    (callbackUrl) => ({ businessNumber: '400200', amount: 10, remarks: 'Stock', occasion: 'January', callbackUrl }),
  ],
  [
    '/paybill',
    (callbackUrl) => ({
      businessNumber: '400200',
      accountNumber: '1',
      amount: 10,
      remarks: 'Water',
      occasion: 'January',
      callbackUrl,
    }),
  ],
  [
    '/stk/new',
    (callbackUrl) => ({
      phoneNumber: '254712345678',
      amount: 10,
      description: 'Rent',
      accountReference: 'A1',
      callbackUrl,
    }),
  ],
]

/** Pays in every way until the program is gone; notes what was acknowledged. */
async function pays({ call, login }: Started, { id, merchant, round, underWay }: Shop) {
  const token = await login(`/w/${id}`)
  for (let i = 0; ; i++) {
    const [path, body] = ways[i % ways.length] as (typeof ways)[number]
    const answer = await call('POST', `/w/${id}/api/sandbox/v1${path}`, body(merchant.receiver.url()), token)
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    round.add(answer.body.data.requestId)
    merchant.acknowledged.add(answer.body.data.requestId)
    underWay.resolve()
  }
}

/** Moves a clock that stands, until the program is gone. */
async function advances({ call }: Started, id: string) {
  for (;;) expect((await call('POST', `/w/${id}/_mfano/clock/advance`, { by: '100ms' })).status).toBe(200)
}

/** What was acknowledged since the last look is there, what was told was so, and the books balance. */
async function nothingLost(started: Started, { id, round, merchant }: Shop) {
  const known = new Map<string, Any>()
  for (const uuid of round) {
    const { status, body } = await started.call('GET', `/w/${id}/_mfano/payments/${uuid}`)
    expect([uuid, status]).toEqual([uuid, 200])
    known.set(uuid, body)
  }
  for (const one of merchant.heard) {
    const [uuid = '', status] = one.split(' ')
    if (known.has(uuid)) expect(JSON.stringify(known.get(uuid)), `told ${one}`).toContain(`"${status}"`)
  }
  round.clear()
  expect((await started.call('GET', `/w/${id}/_mfano/ledger?limit=1`)).body.imbalances, id).toEqual([])
}

/** In the end everybody was told everything and nothing else, and every shilling is where it should be. */
async function judge(last: Started, { id, clock, merchant }: Shop) {
  const { receiver, heard, hears, acknowledged } = merchant
  if (clock.mode === 'frozen') await last.call('POST', `/w/${id}/_mfano/clock/advance`, { by: '1h' })
  const news = (await stored(last, `/w/${id}`)).flatMap(owed)
  await hears(news)
  const payments = await stored(last, `/w/${id}`)
  const ids = new Set(payments.map(({ uuid }) => uuid))
  expect([...acknowledged].filter((uuid) => !ids.has(uuid))).toEqual([])
  expect([...heard].toSorted()).toEqual(news.toSorted())
  for (const { status, rule } of payments) expect(status).toBe(rule === 'succeeds' ? 'SUCCESS' : 'FAILED')
  const { trialBalance, imbalances } = (await last.call('GET', `/w/${id}/_mfano/ledger?limit=1`)).body
  expect(imbalances).toEqual([])
  const wallet = trialBalance.find(({ account }: Any) => account === 'wallet:1:KES')
  const moved = payments
    .filter(({ status }) => status === 'SUCCESS')
    .reduce((sum, { kind }) => sum + (kind === 'stk' ? 10 : -10), 0)
  expect(wallet).toMatchObject({ pendingDebits: 0, pendingCredits: 0 })
  const { wallets } = (await last.call('GET', `/w/${id}/_mfano/wallets`)).body
  expect(wallets.find(({ currency }: Any) => currency === 'KES')).toMatchObject({ balance: 1_000_000 + moved })
  return { world: id, acknowledged: acknowledged.size, owed: news.length, received: receiver.received.length }
}

test(`after ${ROUNDS} kills among several worlds nothing that was acknowledged is lost, and every end is told`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  const directory = dataDirectory()
  const chance = new Chance(288)
  const shops: Shop[] = []
  for (const world of worlds)
    shops.push({
      ...world,
      merchant: await merchant(chance),
      round: new Set(),
      underWay: Promise.withResolvers(),
    })
  const first = await start(directory, ...SCENARIO)
  for (const { id, clock } of worlds.slice(1))
    expect((await first.call('POST', '/_mfano/worlds', { id, clock, scenario })).status).toBe(201)

  let started = first
  for (let round = 1; round <= ROUNDS; round++) {
    for (const shop of shops) shop.underWay = Promise.withResolvers()
    const loading = shops.flatMap((shop) => [
      ...Array.from({ length: 4 }, () => pays(started, shop)),
      ...(shop.clock.mode === 'frozen' ? [advances(started, shop.id)] : []),
    ])
    const over = Promise.all(loading.map((one) => one.catch(gone)))
    // In every other round it dies while it starts to work, in the others with a lot under way.
    const moment = chance.of('kill', round)
    if (round % 2 === 0) await Promise.all(shops.map(({ underWay }) => underWay.promise))
    await started.answers(moment.below(round % 2 === 0 ? 200 : 20))
    await started.program.kill()
    await over
    started = await start(directory, ...SCENARIO)
    for (const shop of shops) await nothingLost(started, shop)
  }
  const told = []
  for (const shop of shops) told.push(await judge(started, shop))
  console.info(JSON.stringify({ rounds: ROUNDS, told }))
  for (const { acknowledged } of told) expect(acknowledged).toBeGreaterThan(0)
})
