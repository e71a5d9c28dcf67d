/** The tour: a merchant pays and is paid in every way, some of it fails, and time passes. */
import type { Mfano, ServiceClient, TestWorld, Wallet } from '../../testing/index.ts'
import { ServiceError } from '../../testing/index.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { amount } from '../words.ts'
import { Merchant, type Told } from './merchant.ts'
import type { Narrator, Speaker } from './narrator.ts'

/** A Friday morning. */
const START = '2025-01-24T09:00:00'
export const ACTS = 7
const kes = (major: number) => `KES ${amount(major)}`
const tzs = (major: number) => `TZS ${amount(major)}`

export class Story {
  readonly #world: TestWorld
  readonly #client: ServiceClient
  readonly #merchant: Merchant
  readonly #narrator: Narrator

  private constructor(world: TestWorld, client: ServiceClient, merchant: Merchant, narrator: Narrator) {
    this.#world = world
    this.#client = client
    this.#merchant = merchant
    this.#narrator = narrator
  }

  /** Plays it from the beginning to the end. Every request in it is a real one, and so is every callback. */
  static async play(mfano: Mfano, narrator: Narrator, output: Output): Promise<void> {
    const world = await mfano.world({ id: 'demo', clock: { mode: 'frozen', start: START } })
    const merchant = new Merchant(async (told) => narrate(narrator, await world.clock.now(), told))
    await merchant.open()
    try {
      const client = await world.client()
      const story = new Story(world, client, merchant, narrator)
      const before = await story.#sandbox()
      await story.#payingOut()
      await story.#gettingPaid()
      await story.#whatGoesWrong()
      await story.#badMoment()
      await story.#twoDaysLater()
      await story.#whereTheMoneyWent(before, output)
    } finally {
      await merchant.close()
    }
  }

  async #sandbox(): Promise<Wallet[]> {
    await this.#narrator.act('A sandbox, and a shop')
    await this.#say(
      'mfano',
      `A sandbox is up at ${this.#world.baseUrl}, in memory. Its clock stands still until it is moved.`,
      {
        baseUrl: this.#world.baseUrl,
      },
    )
    await this.#say(
      'merchant',
      `A small shop takes callbacks at ${this.#merchant.url}. It has traded its key for a token, good for 300 seconds.`,
    )
    const wallets = await this.#world.wallets.list()
    const held = wallets.map(({ currency, available }) => `${currency} ${amount(available)}`)
    await this.#say('merchant', `Its wallets hold ${held.join(', ')}.`, { wallets })
    return wallets
  }

  async #payingOut(): Promise<void> {
    await this.#narrator.act('Paying out, in every way')
    const { url: callbackUrl } = this.#merchant
    const words = { remarks: 'Demo', occasion: 'Friday', callbackUrl }
    const phone = await this.#client.createSendMoney({ phoneNumber: '254712345678', amount: 1500, ...words })
    await this.#accepted(phone.data.requestId, `${kes(1500)} to the phone 254712345678`)
    const till = await this.#client.createTillPayment({ businessNumber: '123456', amount: 250, ...words })
    await this.#accepted(till.data.requestId, `${kes(250)} to the till 123456`)
    const paybill = await this.#client.createPaybillPayment({
      businessNumber: '400200',
      accountNumber: '77-12',
      amount: 3200,
      ...words,
    })
    await this.#accepted(paybill.data.requestId, `${kes(3200)} to the paybill 400200, account 77-12`)
    await this.#bankPayout('01100000000123', 'PETER OTIENO', 20_000, `${kes(20_000)} to a bank account`)
    const abroad = await this.#client.createSendMoney({
      phoneNumber: '255712345678',
      amount: 45_000,
      currencyCode: 'TZS',
      narration: 'Demo',
      firstName: 'Asha',
      lastName: 'Mushi',
      serviceCode: 'TZ-TIGO-B2C',
      callbackUrl,
    })
    await this.#accepted(abroad.data.requestId, `${tzs(45_000)} to a phone in Tanzania`)
    const reserved = (await this.#world.wallets.list()).filter((wallet) => wallet.reserved > 0)
    await this.#say(
      'mfano',
      `Each answer was 201 PENDING. Nothing has left yet: ${reserved.map((wallet) => `${wallet.currency} ${amount(wallet.reserved)}`).join(' and ')} are reserved.`,
    )
    await this.#pass('5s', 'Five seconds pass.')
  }

  async #gettingPaid(): Promise<void> {
    await this.#narrator.act('Getting paid')
    const { url: callbackUrl } = this.#merchant
    const [own] = await this.#world.organisations.list()
    if (own) await this.#world.organisations.update(own.uuid, { collectionCallbackUrl: callbackUrl })
    const stk = await this.#world.collect.stk({ phoneNumber: '254711000100', amount: 500, callbackUrl })
    await this.#expected(
      stk.uuid,
      `${kes(500)} from a phone in Kenya`,
      `Gets a prompt on her phone (STK push) to pay ${kes(500)}.`,
    )
    const tz = await this.#world.collect.tz({ phoneNumber: '255711000100', amount: 20_000, callbackUrl })
    await this.#expected(
      tz.uuid,
      `${tzs(20_000)} from a phone in Tanzania`,
      `Gets one in Tanzania, to pay ${tzs(20_000)}.`,
    )
    await this.#say('customer', `Pays an invoice of ${kes(12_500)} at the bank.`)
    await this.#world.collect.bank({ amount: 12_500, description: 'Invoice 7' })
    const { data: session } = await this.#client.createCheckoutSession({
      amount: 999,
      currency: 'KES',
      description: 'A pair of shoes',
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
      paymentMethods: ['CARD', 'MPESA_STK'],
      callbackUrl,
    })
    await this.#world.checkout.pay(session.checkoutUrl, 'CARD')
    await this.#expected(
      session.id,
      `${kes(999)} at the checkout page`,
      `Opens the hosted checkout page and pays ${kes(999)} by card.`,
    )
    await this.#pass('10s', 'Ten seconds pass.')
  }

  async #whatGoesWrong(): Promise<void> {
    await this.#narrator.act('What goes wrong, and is better met here')
    const { url: callbackUrl } = this.#merchant
    const words = { remarks: 'Demo', occasion: 'Friday', callbackUrl }
    await this.#refused(`${kes(700)} to the phone 254712000403`, { phoneNumber: '254712000403', amount: 700, ...words })
    await this.#refused(`${kes(5_000_000)} to a phone`, { phoneNumber: '254712345678', amount: 5_000_000, ...words })
    const nobody = await this.#client.createSendMoney({ phoneNumber: '254712000404', amount: 800, ...words })
    await this.#accepted(nobody.data.requestId, `${kes(800)} to the phone 254712000404`)
    const wrongName = await this.#bankPayout(
      '01100000000422',
      'JOHN DOE',
      9_000,
      `${kes(9_000)} to JOHN DOE at somebody else's account`,
    )
    const cancelled = await this.#world.collect.stk({ phoneNumber: '254711000499', amount: 350, callbackUrl })
    await this.#expected(
      cancelled.uuid,
      `${kes(350)} from the phone 254711000499`,
      `Gets a prompt on her phone to pay ${kes(350)}, and has changed her mind.`,
    )
    await this.#pass('10s', 'Ten seconds pass.')
    const record = (await this.#client.getBankPayout({ requestId: wrongName })).data[0]
    await this.#say(
      'merchant',
      `The callback gives no reason. The record does: ${record?.errorCode}, ${record?.errorDesc}.`,
      { record },
    )
  }

  async #badMoment(): Promise<void> {
    await this.#narrator.act('The shop has a bad moment')
    this.#merchant.stumbles = 1
    const paid = await this.#client.createTillPayment({
      businessNumber: '123456',
      amount: 450,
      remarks: 'Demo',
      occasion: 'Friday',
      callbackUrl: this.#merchant.url,
    })
    await this.#accepted(paid.data.requestId, `${kes(450)} to the till 123456`)
    await this.#pass('5s', 'Five seconds pass, and the shop is just being deployed.')
    const [callback] = await this.#world.callbacks.list({ payment: paid.data.requestId })
    await this.#say(
      'mfano',
      `The shop will be told again at ${callback?.nextAttemptAt?.slice(11, 19)}. Until then it believes that the payment is PENDING.`,
    )
    await this.#pass('10s', 'Ten more seconds pass.')
  }

  async #twoDaysLater(): Promise<void> {
    await this.#narrator.act('Two days later')
    const paid = await this.#client.createSendMoney({
      phoneNumber: '254712000409',
      amount: 5_000,
      remarks: 'Demo',
      occasion: 'Friday',
      callbackUrl: this.#merchant.url,
    })
    await this.#accepted(paid.data.requestId, `${kes(5_000)} to the phone 254712000409`)
    await this.#pass('5s', 'Five seconds pass.')
    await this.#say('merchant', 'The goods are on their way.')
    await this.#pass('2d', 'Two days pass, in no time.')
    await this.#say(
      'mfano',
      'A success is not always the last word. The money is back in the wallet; does your app know?',
    )
  }

  async #whereTheMoneyWent(before: readonly Wallet[], output: Output): Promise<void> {
    await this.#narrator.act('Where the money went')
    const now = await this.#world.wallets.list()
    const rows = now.map(({ currency, available }) => {
      const began = before.find((wallet) => wallet.currency === currency)?.available ?? 0
      return { currency, before: began, after: available, change: Math.round((available - began) * 100) / 100 }
    })
    const shown = table(
      rows,
      [
        { title: 'WALLET', of: ({ currency }) => currency },
        { title: 'BEFORE', of: (row) => amount(row.before), right: true },
        { title: 'AFTER', of: (row) => amount(row.after), right: true },
        { title: 'CHANGE', of: ({ change }) => `${change > 0 ? '+' : ''}${amount(change)}`, right: true },
      ],
      output,
    )
    await this.#narrator.show(shown, 'wallets', { wallets: rows })
    const { imbalances } = await this.#world.control<{ imbalances: unknown[] }>('GET', '/ledger')
    const settled = ['SUCCESS', 'SUCCEEDED'].reduce((sum, status) => sum + this.#merchant.count(status), 0)
    const balanced =
      imbalances.length === 0 ? 'Every debit has its credit.' : `${imbalances.length} accounts do not balance.`
    await this.#say(
      'mfano',
      `The shop's book: ${settled} paid, ${this.#merchant.count('FAILED')} failed, ${this.#merchant.count('PENDING')} open. ${balanced}`,
      { paid: settled, failed: this.#merchant.count('FAILED'), open: this.#merchant.count('PENDING'), imbalances },
    )
  }

  async #bankPayout(
    creditAccountNumber: string,
    beneficiaryName: string,
    major: number,
    what: string,
  ): Promise<string> {
    const { data } = await this.#client.createBankPayout({
      bankCode: '0001',
      beneficiaryName,
      creditAccountNumber,
      amount: major,
      narration: 'Demo',
      callbackUrl: this.#merchant.url,
    })
    await this.#accepted(data.requestId, what)
    return data.requestId
  }

  /** The merchant paid; the end comes by a callback. */
  async #accepted(id: string, what: string): Promise<void> {
    this.#merchant.note(id, what)
    await this.#say('merchant', `Pays ${what}.`, { requestId: id })
  }

  /** A customer does something; the merchant waits for the callback. */
  async #expected(id: string, what: string, text: string): Promise<void> {
    this.#merchant.note(id, what)
    await this.#say('customer', text, { id })
  }

  /** A payout that the service refuses at once. */
  async #refused(what: string, request: Parameters<ServiceClient['createSendMoney']>[0]): Promise<void> {
    try {
      await this.#client.createSendMoney(request)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { status, code } = error
      await this.#say('merchant', `Pays ${what}, and is refused at once: ${status} ${code}. No money moves.`, {
        status,
        code,
      })
      return
    }
    throw new Error(`${what} was to be refused, and was not`)
  }

  async #say(who: Speaker, text: string, data?: object): Promise<void> {
    await this.#narrator.tell({ who, text, at: await this.#world.clock.now(), ...(data && { data }) })
  }

  /** Moves the clock; what arrives on the way is told as it arrives. */
  async #pass(by: string, words: string): Promise<void> {
    await this.#say('time', words, { by })
    await this.#world.clock.advance(by)
  }
}

/** A callback in plain words. */
async function narrate(narrator: Narrator, at: string, { entry, before, again, body, answered }: Told): Promise<void> {
  const changed = before !== 'PENDING' && before !== entry.status ? `, which had been ${before}` : ''
  const told = `${entry.what}${changed}: ${String(body['status'] ?? 'arrived')}`
  const text =
    answered === 200
      ? `${told}${again ? ', told again' : ''}`
      : `${told}. The shop answers ${answered}, and has not understood.`
  // Not awaited: the merchant answers at once, whatever pace its story is read at.
  void narrator.tell({
    who: 'callback',
    text,
    at,
    good: answered === 200 && entry.status !== 'FAILED',
    data: { body, answered },
  })
}
