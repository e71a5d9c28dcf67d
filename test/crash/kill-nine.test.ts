import { setTimeout as pass } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Chance } from '../../src/model/chance.ts'
import { Receiver, START } from '../support/harness.ts'
import { dataDirectory } from '../support/restart.ts'
import { type Any, gone, type Started, start } from './started.ts'

// The real program under load, killed without warning again and again. What it had acknowledged, it must still know;
// what it owed, it must still deliver; and no money may be gone.

const ROUNDS = 20
const AT_ONCE = 8

/** A merchant whose endpoint fails now and then, and who knows what it was told. */
async function merchant(chance: Chance) {
  const receiver = new Receiver()
  await receiver.start()
  onTestFinished(() => receiver.stop())
  const heard = new Set<string>()
  let told = () => {}
  let count = 0
  receiver.answer = ({ body }) => {
    if (chance.of('receiver', ++count).unit() < 0.1) return 500
    heard.add(`${body.requestId} ${body.status}`)
    told()
    return 200
  }
  /** Resolves once everything of a list was heard; how long that may take is for the test's timeout. */
  const hears = (news: string[]) =>
    new Promise<void>((resolve) => {
      told = () => {
        if (news.every((one) => heard.has(one))) resolve()
      }
      told()
    })
  return { receiver, heard, hears }
}

const payout = (callbackUrl: string) => ({
  phoneNumber: '254712345678',
  amount: 10,
  remarks: 'Salary',
  occasion: 'January',
  callbackUrl,
})

/** Sends payouts until the program is gone; notes those that were acknowledged, and tells when there are some. */
async function load({ call, login }: Started, callbackUrl: string, acknowledged: Set<string>, told = () => {}) {
  const before = acknowledged.size
  const send = async () => {
    const token = await login()
    for (;;) {
      const { status, body } = await call('POST', '/api/sandbox/v1/send-money', payout(callbackUrl), token)
      expect(status).toBe(201)
      acknowledged.add(body.data.requestId)
      if (acknowledged.size > before + AT_ONCE) told()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => send().catch(gone)))
}

/** All payments that are stored, a page at a time. */
async function stored({ call }: Started, world = ''): Promise<Any[]> {
  const all = []
  for (let before = ''; ; ) {
    const { body } = await call('GET', `${world}/_mfano/payments?limit=1000${before}`)
    all.push(...body.payments)
    if (body.next === null) return all
    before = `&before=${body.next}`
  }
}

/** What a merchant must have been told of a payment in the end. */
const owed = ({ uuid, rule }: { uuid: string; rule: string }) =>
  ({ succeeds: ['SUCCESS'], fails: ['FAILED'], 'is taken back': ['SUCCESS', 'FAILED'] })[rule]?.map(
    (status) => `${uuid} ${status}`,
  ) ?? []

test(`after ${ROUNDS} times kill -9 nothing that was acknowledged is lost, and every end is told`, {
  timeout: 120_000,
}, async () => {
  const directory = dataDirectory()
  const chance = new Chance(20250124)
  const { receiver, heard, hears } = await merchant(chance)
  const acknowledged = new Set<string>()
  const restart = async () => {
    const started = await start(directory, '--scenario', `${import.meta.dirname}/brisk.yaml`)
    const known = new Set((await stored(started)).map(({ uuid }) => uuid))
    expect(
      [...acknowledged].filter((uuid) => !known.has(uuid)),
      'acknowledged and lost',
    ).toEqual([])
    expect((await started.call('GET', '/_mfano/ledger?limit=1')).body.imbalances).toEqual([])
    return started
  }

  for (let round = 1; round <= ROUNDS; round++) {
    const started = await restart()
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    const loading = load(started, receiver.url(), acknowledged, resolve)
    // Any moment will do: before the first commit, in the middle of one, while callbacks are on their way.
    if (round % 2 === 0) await underWay
    await pass(chance.of('kill', round).below(300))
    await started.program.kill()
    await loading
  }

  const last = await restart()
  const news = (await stored(last)).flatMap(owed)
  await hears(news)
  const payments = await stored(last)
  const ids = new Set(payments.map(({ uuid }) => uuid))
  expect(acknowledged.size).toBeGreaterThan(ROUNDS)
  expect(
    [...heard].filter((one) => !news.includes(one)),
    'told what did not happen',
  ).toEqual([])
  expect(
    receiver.received.filter(({ body }) => !ids.has(body.requestId)),
    'told of payments that do not exist',
  ).toEqual([])
  for (const { status, rule } of payments) expect(status).toBe(rule === 'succeeds' ? 'SUCCESS' : 'FAILED')

  const { trialBalance, imbalances } = (await last.call('GET', '/_mfano/ledger?limit=1')).body
  expect(imbalances).toEqual([])
  const paidOut = payments.filter(({ status }) => status === 'SUCCESS').length * 10
  expect(trialBalance.find(({ account }: Any) => account === 'wallet:1:KES')).toMatchObject({ pendingDebits: 0 })
  const { wallets } = (await last.call('GET', '/_mfano/wallets')).body
  expect(wallets.find(({ currency }: Any) => currency === 'KES')).toMatchObject({
    balance: 1_000_000 - paidOut,
    available: 1_000_000 - paidOut,
  })
})

test('a kill in the middle of an advance turns no time back and loses none of what was due', {
  timeout: 60_000,
}, async () => {
  const directory = dataDirectory()
  const { receiver, heard, hears } = await merchant(new Chance(1))
  const before = await start(directory)
  await before.call('POST', '/_mfano/worlds', { id: 'frozen', clock: { mode: 'frozen', start: START } })
  const token = await before.login('/w/frozen')
  const uuids: string[] = []
  for (let i = 0; i < 30; i++) {
    const { body } = await before.call('POST', '/w/frozen/api/sandbox/v1/send-money', payout(receiver.url()), token)
    uuids.push(body.data.requestId)
    await before.call('POST', '/w/frozen/_mfano/clock/advance', { by: '50ms' })
  }
  // The program dies while it waits for an answer to the tenth callback.
  const tenth = new Promise<void>((resolve) => {
    const answer = receiver.answer
    receiver.answer = (received) => {
      if (heard.size === 9) resolve()
      return typeof answer === 'number' ? answer : answer(received)
    }
  })
  const advancing = before.call('POST', '/w/frozen/_mfano/clock/advance', { by: '1h' }).catch((error) => error)
  await tenth
  await before.program.kill()
  expect(await advancing).toBeInstanceOf(TypeError)

  const after = await start(directory)
  const { now } = (await after.call('GET', '/w/frozen/_mfano/clock')).body
  const reached = (await stored(after, '/w/frozen')).filter(({ status }) => status === 'SUCCESS')
  expect(reached.length).toBeGreaterThanOrEqual(9)
  expect(reached.length).toBeLessThan(30)
  const newest = reached
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1)
  // Stamps of one moment are microseconds apart; the moment itself must not be earlier.
  expect(now.slice(0, 22) >= newest.slice(0, 22)).toBe(true)

  await after.call('POST', '/w/frozen/_mfano/clock/advance', { by: '2h' })
  await hears(uuids.map((uuid) => `${uuid} SUCCESS`))
  expect((await after.call('GET', '/w/frozen/_mfano/ledger?limit=1')).body.imbalances).toEqual([])
  expect((await after.call('GET', '/w/frozen/_mfano/callbacks')).body.counts).toMatchObject({ pending: 0, failed: 0 })
})
