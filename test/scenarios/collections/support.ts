import { afterAll, afterEach, expect } from 'vitest'
import type { Alarms } from '../../support/alarms.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { MetRules } from '../met-rules.ts'
import { type Order, Shop, type ShopSettings } from '../shop/shop.ts'

const opening = { KES: 1_000_000, TZS: 50_000_000 }
const currencies = { Kenya: 'KES', Tanzania: 'TZS' } as const

/** A shop that is open, in a world where a scenario happens to it. */
export interface Street {
  world: TestWorld
  shop: Shop
  /** A customer pays into the shop's bank account; gives the reference on the bank's slip. */
  transfer(amount: number, words: string): Promise<string>
  /** Simulated time passes, and then the shop's own routine runs. */
  pass(by: string): Promise<void>
}

export interface Streets {
  /** Opens the shop in a new world of a shipped scenario. */
  open(
    scenario: string,
    parameters?: Record<string, string | number | boolean>,
    country?: ShopSettings['country'],
  ): Promise<Street>
  /** The same, where a customer orders, asks to pay by phone, and so much time passes. */
  sell(
    scenario: string,
    passes: string,
    parameters?: Record<string, string | number | boolean>,
  ): Promise<{ street: Street; order: Order }>
}

/** Shops for a test file; each is closed after its test. `time`: real time that the test moves. */
export function useStreets(time?: Alarms): Streets {
  const bench = useBench(time && { time })
  const streets: Street[] = []
  const met = new MetRules(['stk', 'checkout', 'bank-collection'])
  afterEach(async () => {
    for (const { world, shop } of streets.splice(0)) {
      const { findings } = await world.control('POST', '/reconcile', shop.books())
      expect(findings).toEqual([])
      await met.note(world)
      await shop.close()
    }
  })
  afterAll(() => {
    expect(met.unmet, 'rules that no story of this file met').toEqual([])
  })
  return {
    async sell(scenario, passes, parameters) {
      const street = await this.open(scenario, parameters)
      const order = street.shop.placeOrder()
      await street.shop.payByPhone(order)
      await street.pass(passes)
      return { street, order }
    },
    async open(scenario, parameters = {}, country = 'Kenya') {
      const world = await bench.world({ scenario, parameters })
      const { secret } = await world.control('GET', '/callbacks/secret')
      const signs = world.inside.core.scenario.assumptions['callback-signature'] !== 'none'
      const shop = new Shop({
        account: { baseUrl: world.baseUrl, ...world.credentials },
        country,
        now: () => new Date(world.inside.core.clock.now() / 1000),
        ...(signs && { callbackSecret: secret }),
      })
      await shop.open()
      // As the shop's owner tells the service once, when signing up.
      await world.control('PATCH', `/organisations/${world.companyId}`, {
        collectionCallbackUrl: shop.url('/callbacks/bank'),
      })
      const transfer = async (amount: number, description: string) => {
        const { uuid } = await world.control('POST', '/collections/bank', { amount, description })
        return (await world.control('GET', `/payments/${uuid}`)).record.transactionref
      }
      const pass = async (by: string) => {
        await world.advance(by)
        await shop.atRest()
        await shop.routine()
      }
      const street = { world, shop, transfer, pass }
      streets.push(street)
      return street
    },
  }
}

/**
 * What happened to a shop, in plain sentences: where its shelves and its book differ from what the service knows. Empty
 * when every order that is paid was shipped once, nothing else was, and the book agrees with the wallet.
 */
export async function damage({ world, shop }: Street): Promise<string[]> {
  const paidFor = await paidByOrder(world)
  const found = shop.troubles.map(String)
  found.push(...shop.orders.flatMap((order) => damageOf(order, shop, paidFor.get(order.number) ?? 0)))
  const currency = currencies[shop.settings.country]
  const wallet = (await world.available(currency)) - opening[currency]
  const sums = [...shop.orders.map(({ received }) => received), ...shop.unclaimed.map(({ amount }) => amount)]
  const book = sums.reduce((sum, amount) => sum + amount, 0)
  if (wallet === book) return found
  return [...found, `The book says that ${currency} ${book} came in, the wallet says ${currency} ${wallet}.`]
}

function damageOf(order: Order, shop: Shop, paid: number): string[] {
  const { number, price, state, refundDue } = order
  const parcels = shop.shipped.filter((one) => one === order).length
  const isPaid = paid >= price
  return [
    parcels > 1 && `${number} was shipped ${parcels} times.`,
    parcels > 0 && !isPaid && state !== 'owed' && `${number} was shipped and is not paid.`,
    parcels === 0 && isPaid && `${number} is paid and was never shipped.`,
    isPaid && state === 'over' && `${number} is paid, and its customer reads: ${order.message}`,
    paid > price && refundDue !== paid - price && `${number} was charged ${paid - price} too much, unnoticed.`,
  ].filter((sentence) => sentence !== false)
}

/** What the service took for each order, by its number. */
async function paidByOrder(world: TestWorld): Promise<Map<string, number>> {
  const paid = new Map<string, number>()
  const { payments } = await world.control('GET', '/payments?limit=1000')
  for (const { uuid, status, amount } of payments) {
    if (status !== 'SUCCESS' && status !== 'SUCCEEDED') continue
    const { request } = await world.control('GET', `/payments/${uuid}`)
    const words: string = request.accountReference ?? request.paymentReference ?? request.description
    const number = words.trim().toUpperCase()
    paid.set(number, (paid.get(number) ?? 0) + amount)
  }
  return paid
}

/** The payer presses "pay" on the service's payment page. */
export async function payOnPage(address: string | undefined): Promise<void> {
  const answer = await press(address, {
    action: 'pay',
    method: 'CARD',
    number: '4242 4242 4242 4242',
    expiry: '12/99',
    cvc: '123',
  })
  expect(answer.status).toBe(303)
}

/** The payer presses "cancel" there, and the browser goes where it is led: what is to be read at the shop. */
export async function cancelOnPage(address: string | undefined): Promise<string> {
  const answer = await press(address, { action: 'cancel' })
  return (await fetch(answer.headers.get('location') ?? '')).text()
}

function press(address: string | undefined, form: Record<string, string>): Promise<Response> {
  return fetch(address ?? '', { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
}
