/** Accounts at a hidden mfano that a calibration asks: with a past, as a merchant has one after some weeks at a sandbox. */
import { expect } from 'vitest'
import { subAccountOf } from '../../service/assumptions/sending.ts'
import { bodies } from '../../support/bodies.ts'
import { assuming } from '../../support/contract.ts'
import type { Bench, TestWorld } from '../../support/harness.ts'
import { type Hidden, type HiddenAccount, keyOfPast, ofThePast } from './trials.ts'

const API = '/api/sandbox/v1'
/** More than a page. */
const COLLECTIONS = 25

/** One, to which the test itself can put questions. */
export interface MadeAccount extends HiddenAccount {
  world: TestWorld
}

/** A world whose merchant has records of every sort; `withSubAccount`: and a sub-account with some of its own. */
export async function accountWithPast(
  bench: Bench,
  { withSubAccount, assumptions = {} }: { withSubAccount: boolean; assumptions?: Record<string, string> },
): Promise<MadeAccount> {
  const world = await bench.world(assuming(assumptions))
  const keys: MadeAccount['keys'] = {}
  const toNobody = 'http://127.0.0.1:9/callback'
  const done = async (path: string, body: object, token?: string) => {
    const answer = await world.post(API + path, body, { ...(token !== undefined && { token }) })
    expect(answer.status, answer.text).toBe(201)
  }
  const till = bodies.till(toNobody)
  const collect = (organisationId?: string) =>
    world.control('POST', '/collections/bank', { amount: 10, organisationId })
  for (let n = 0; n < COLLECTIONS; n++) {
    await collect()
    await world.advance('7s')
    world.logout()
  }
  if (withSubAccount) {
    const { uuid, token } = await subAccountOf(world)
    keys['sub-account'] = await world.control('POST', `/organisations/${uuid}/credentials`)
    await world.control('POST', '/wallets/fund', { organisationId: uuid, currency: 'KES', amount: 5000 })
    await collect(uuid)
    await done('/till', till, token)
  }
  for (const amount of [100, 404.01, 999.01]) await done('/till', { ...till, amount })
  for (const amount of [100, 999.01]) await done('/paybill', { ...till, accountNumber: 'A1', amount })
  await done('/send-money', bodies.sendMoney(toNobody))
  const abroad = { amount: 1000, narration: 'Wages', callbackUrl: toNobody }
  await done('/send-money', {
    ...abroad,
    phoneNumber: '256771000100',
    currencyCode: 'UGX',
    customerName: 'Sarah Nakato',
  })
  const asha = { firstName: 'Asha', lastName: 'Mushi', serviceCode: 'TZ-TIGO-B2C' }
  await done('/send-money', { ...abroad, ...asha, phoneNumber: '255711000100', currencyCode: 'TZS' })
  const toBank = bodies.bankPayout(toNobody)
  await done('/bank/payout/new', toBank)
  await done('/bank/payout/new', { ...toBank, creditAccountNumber: '01000000000404' })
  await world.advance('2h')
  return accountIn(world, keys)
}

export function accountIn(world: TestWorld, keys: MadeAccount['keys'] = {}): MadeAccount {
  const { id, baseUrl, credentials } = world
  return { id, baseUrl, credentials, keys, world }
}

/** Accounts for blind trials, made once for all that differ in nothing that was done before they are asked. */
export class Pasts {
  readonly #bench: Bench
  readonly #made = new Map<string, Promise<MadeAccount>>()

  constructor(bench: Bench) {
    this.#bench = bench
  }

  of(hidden: Hidden, withSubAccount: boolean): Promise<MadeAccount> {
    const key = keyOfPast(hidden, withSubAccount)
    const assumptions = Object.fromEntries(ofThePast.map((id) => [id, hidden[id] as string]))
    const made = this.#made.get(key) ?? accountWithPast(this.#bench, { withSubAccount, assumptions })
    this.#made.set(key, made)
    return made
  }
}
