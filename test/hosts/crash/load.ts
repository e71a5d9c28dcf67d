/** A merchant who pays under load, and what must be true of it in the end. */
import { expect, onTestFinished } from 'vitest'
import type { Chance } from '../../../src/core/model/chance.ts'
import { payoutTo } from '../../support/bodies.ts'
import { Receiver } from '../../support/harness.ts'
import { type Any, gone, type Started } from './started.ts'

const AT_ONCE = 8
/** The scenario of all of it. */
export const BRISK = ['--scenario', `${import.meta.dirname}/brisk.yaml`]

/** A merchant whose endpoint fails now and then, and who knows what it was told. */
export async function merchant(chance: Chance) {
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
  return { receiver, heard, hears, acknowledged: new Set<string>() }
}
export type Merchant = Awaited<ReturnType<typeof merchant>>

/** A payout of 10 shillings. */
export const payout = (callbackUrl: string) => payoutTo(callbackUrl, { amount: 10 })

/**
 * Sends payouts until the program is gone, or answers that it can store nothing; notes those that were acknowledged.
 * `underWay`: there are some; `full`: one was answered 503, where that may be.
 */
export async function load(
  { call, login }: Started,
  { receiver, acknowledged }: Merchant,
  { underWay, full }: { underWay?: () => void; full?: () => void } = {},
) {
  const before = acknowledged.size
  const send = async () => {
    const token = await login()
    for (;;) {
      const { status, body } = await call('POST', '/api/sandbox/v1/send-money', payout(receiver.url()), token)
      if (status === 503 && full) return full()
      expect([status, body]).toEqual([201, expect.anything()])
      acknowledged.add(body.data.requestId)
      if (acknowledged.size > before + AT_ONCE) underWay?.()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => send().catch(gone)))
}

/** All payments that are stored, a page at a time. */
export async function stored({ call }: Started, world = ''): Promise<Any[]> {
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

/** All that was acknowledged is there after a restart, and the books balance. */
export async function nothingLost(started: Started, { acknowledged }: Merchant): Promise<void> {
  const known = new Set((await stored(started)).map(({ uuid }) => uuid))
  expect(
    [...acknowledged].filter((uuid) => !known.has(uuid)),
    'acknowledged and lost',
  ).toEqual([])
  expect((await started.call('GET', '/_mfano/ledger?limit=1')).body.imbalances).toEqual([])
}

/** In the end everybody was told everything and nothing else, and every shilling is where it should be. */
export async function judge(last: Started, { receiver, heard, hears, acknowledged }: Merchant): Promise<void> {
  const news = (await stored(last)).flatMap(owed)
  await hears(news)
  const payments = await stored(last)
  const ids = new Set(payments.map(({ uuid }) => uuid))
  expect(acknowledged.size).toBeGreaterThan(AT_ONCE)
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
}
