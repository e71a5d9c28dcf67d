/** A web shop that takes mobile money. */
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import {
  type Account,
  type Answer,
  type Collection,
  type PageRequest,
  PaymentsService,
  type PhoneRequest,
} from './payments-service.ts'
import { isFromTheService } from './signature.ts'

/** A line of the order book. */
export interface Order {
  readonly number: string
  /** In shillings of the shop's country, whole ones. */
  readonly price: number
  readonly phone: string
  readonly placedAt: Date
  /** `over`: closed without money. `owed`: the goods are gone, and the money that came for them is too. */
  state: 'waiting' | 'paid' | 'over' | 'owed'
  /** What has come in for it, as far as the shop knows. */
  received: number
  /** What the shop knows that it has to give back. */
  refundDue: number
  /** What the customer reads on the page of the order. */
  message: string
}

/** Money without an order. */
export interface Unclaimed {
  /** As the payer finds it on the bank's slip. */
  slip: string
  /** The service's name for it. */
  id: string
  amount: number
  /** What came with it in the place of an order's number. */
  words: string
  /** Default: by bank. */
  by?: 'phone'
}

/** What somebody posted to the shop's address for callbacks; it may be anybody. */
export interface Told {
  /** The last part of the address, where the shop gave one of its own. */
  reference: string | undefined
  headers: Headers
  text: string
}

export interface ShopSettings {
  account: Account
  /** The shop's clock on the wall. */
  now: () => Date
  /** Where the shop is. A Tanzanian one is paid by phone only. */
  country: 'Kenya' | 'Tanzania'
  /** With which callbacks are signed, where the service signs them: `whsec_…`. */
  callbackSecret?: string
}

/** What the shop's bookkeeper would write down of one payment. */
export interface BooksLine {
  reference?: string
  requestId?: string | undefined
  kind?: string
  /** What came in where something did, else what was asked for. */
  amount: number
  currency: string
  status: string
  /** Where the shop knows that it was paid too much. */
  refundDue?: number
}

const LOOK_AT_YOUR_PHONE = 'Look at your phone.'
const UNPAID_FOR_MINUTES = 30

/** One try at being paid for an order. */
interface Payment {
  /** The shop's own name for it, written down before the service is asked. */
  reference: string
  order: Order
  by: 'phone' | 'page' | 'bank'
  askedAt: Date
  /** The service's name for it, once the shop knows. */
  id?: string
  /** Where the payer pays, for a page. */
  address?: string
  status: string
  /** What the service says that came in with it. */
  received: number
}

const PAID = ['SUCCESS', 'SUCCEEDED']
const kinds: Record<Payment['by'], string> = { phone: 'stk', page: 'checkout', bank: 'bank-collection' }
/** What the service has not heard of after so long never reached it. */
const ARRIVES_WITHIN_MS = 5 * 60_000
const WATCHED_FOR_MS = 3 * 24 * 3_600_000
/** Any other word, known or not, says that it is not over yet. */
const FINISHED = [...PAID, 'FAILED', 'EXPIRED', 'REFUSED']

/**
 * The version after a year in business. Each payment has a name of the shop's own before it is asked for. A callback is
 * a hint to go and look: what the service's record says is so, and looking twice changes nothing. What nobody told is
 * asked for. An order is the sum of its payments.
 */
export class Shop {
  readonly orders: Order[] = []
  /** What left the house, one entry for each parcel. */
  readonly shipped: Order[] = []
  /** What came in, and nobody knows for what. */
  readonly unclaimed: Unclaimed[] = []
  /** What went wrong inside the shop, where no customer saw it. */
  readonly troubles: unknown[] = []
  /** Comes for a parcel, and takes as long as it takes. */
  courier: (order: Order) => Promise<void> = async () => {}
  /** Nothing works for the moment: a new version is being put up. */
  down = false
  readonly #service: PaymentsService
  readonly settings: ShopSettings
  readonly #payments = new Map<string, Payment>()
  /** Transfers into the bank account that are booked, or wait to be claimed. */
  readonly #transfers = new Set<string>()
  #work: Promise<void> = Promise.resolve()
  #server: ServerType | undefined

  constructor(settings: ShopSettings) {
    this.settings = settings
    this.#service = new PaymentsService(settings.account)
  }

  // ---- What a customer does -----------------------------------------------------------------------------------------

  /** Puts goods in the basket and orders. */
  placeOrder({ price = 1000 } = {}): Order {
    const order: Order = {
      number: `D${this.orders.length + 1}`,
      price,
      phone: this.settings.country === 'Kenya' ? '254712345678' : '255712345678',
      placedAt: this.settings.now(),
      state: 'waiting',
      received: 0,
      refundDue: 0,
      message: 'How would you like to pay?',
    }
    this.orders.push(order)
    return order
  }

  /** Presses "Pay with my phone". */
  async payByPhone(order: Order): Promise<void> {
    if (await this.#isPaidOrBeingPaid(order)) return
    const payment = this.#newPayment(order, 'phone')
    order.message = LOOK_AT_YOUR_PHONE
    const request = {
      ...this.#prompt(order),
      description: order.number,
      callbackUrl: this.url(`/callbacks/${payment.reference}`),
      referenceId: payment.reference,
    }
    const answer = await this.#service.askByPhone(request).catch(() => undefined)
    if (answer?.body.data) payment.id = answer.body.data.requestId
    // Refused is refused. After an outage, or without an answer, the phone may be ringing all the same.
    if (answer && answer.status >= 400 && answer.status < 500) {
      payment.status = 'REFUSED'
      order.message = 'We cannot reach your phone now. Please pay on the web.'
    }
  }

  /** Presses "Pay on the web": the address that the browser is led to, when there is something to pay. */
  async payOnTheWeb(order: Order): Promise<string | undefined> {
    if (await this.#isPaidOrBeingPaid(order)) return this.#unfinishedOf(order)?.address
    const payment = this.#newPayment(order, 'page')
    const request = {
      ...this.#page(order),
      externalReference: payment.reference,
      callbackUrl: this.url(`/callbacks/${payment.reference}`),
    }
    const page = await this.#service.openPage(request).catch(() => undefined)
    if (page?.status !== 201) {
      // A page whose address nobody knows is not paid.
      payment.status = 'REFUSED'
      order.message = 'We cannot open the payment page now. Please try again.'
      return undefined
    }
    payment.id = page.body.id
    payment.address = page.body.checkoutUrl
    return payment.address
  }

  /** Presses "I have paid, where are my goods?" */
  async claimPaid(order: Order): Promise<void> {
    await this.#isPaidOrBeingPaid(order)
  }

  /** Whoever comes back may go and pay after all, in another tab. */
  #comeBackUnpaid(order: Order): void {
    order.message = 'You have not paid yet.'
  }

  async #hear(told: Told): Promise<number> {
    if (!isFromTheService(told, this.settings)) return 401
    // Answered at once and looked at after, one by one.
    if (told.reference === 'bank') {
      this.#soon(() => this.#readBankAccount())
      return 200
    }
    const payment = this.#payments.get(told.reference ?? '')
    if (!payment) return 404
    this.#soon(() => this.#look(payment))
    return 200
  }

  /** Runs every few minutes, by itself. */
  async routine(): Promise<void> {
    this.#soon(async () => {
      // Those that are over too: money can be taken back, and money can come late.
      for (const payment of this.#payments.values()) if (this.#age(payment) < WATCHED_FOR_MS) await this.#look(payment)
      await this.#findUnknown()
      await this.#readBankAccount()
      for (const order of this.orders)
        if (order.state === 'waiting' && this.#isTooOld(order) && !this.#unfinishedOf(order)) this.#close(order)
    })
    await this.atRest()
  }

  /** Resolves when the shop has worked through all that it has heard. */
  atRest(): Promise<void> {
    return this.#work
  }

  /** One after another. What goes wrong is noted, and left to the next routine. */
  #soon(job: () => Promise<void>): void {
    this.#work = this.#work.then(job).catch((trouble) => {
      this.troubles.push(trouble)
    })
  }

  #newPayment(order: Order, by: Payment['by']): Payment {
    const reference = `${order.number}-${this.#of(order).length + 1}`
    const payment: Payment = { reference, order, by, askedAt: this.settings.now(), status: 'PENDING', received: 0 }
    this.#payments.set(reference, payment)
    return payment
  }

  #of(order: Order): Payment[] {
    return [...this.#payments.values()].filter((payment) => payment.order === order)
  }

  #unfinishedOf(order: Order): Payment | undefined {
    return this.#of(order).find((payment) => !FINISHED.includes(payment.status))
  }

  /** Looks before anybody is asked for money a second time. */
  async #isPaidOrBeingPaid(order: Order): Promise<boolean> {
    this.#soon(async () => {
      for (const payment of this.#of(order)) await this.#look(payment)
    })
    await this.atRest()
    if (this.#unfinishedOf(order)) order.message = 'Your first payment is still under way.'
    return order.state === 'paid' || this.#unfinishedOf(order) !== undefined
  }

  /** Reads the service's record of a payment and takes it over. */
  async #look(payment: Payment): Promise<void> {
    if (payment.by === 'phone') {
      // The service also knows it by the shop's reference: there may have been no answer with an id.
      const { status, body } = await this.#collection(payment.id ?? payment.reference)
      if (status === 200) {
        payment.id = body.data.uuid
        await this.#learn(payment, body.data.status, body.data.amount, body.data.responseDescription)
      } else if (status === 404 && this.#age(payment) > ARRIVES_WITHIN_MS) payment.status = 'REFUSED'
    } else if (payment.by === 'page' && payment.id !== undefined) {
      const { status, body } = await this.#service.page(payment.id)
      if (status === 200) await this.#learn(payment, body.status, body.amount)
    }
  }

  /** What the service took by phone, and the shop has never asked for. */
  async #findUnknown(): Promise<void> {
    const known = new Set([...this.#payments.values(), ...this.unclaimed].map(({ id }) => id))
    const { body } = await this.#service.collections()
    for (const { uuid, accountReference, status, amount, checkoutRequestId } of body.data) {
      if (known.has(uuid)) continue
      const order = this.#orderNamed(accountReference)
      if (order) {
        const payment = this.#newPayment(order, 'phone')
        payment.id = uuid
        await this.#look(payment)
      } else if (PAID.includes(status))
        this.unclaimed.push({ slip: checkoutRequestId, id: uuid, amount, words: accountReference, by: 'phone' })
    }
  }

  /** The order whose number a payer wrote, as payers write. */
  #orderNamed(words: string): Order | undefined {
    return this.orders.find(({ number }) => number === words.trim().toUpperCase())
  }

  /** Books what is new in the account, each transfer once; what names no order waits for somebody who asks for it. */
  async #readBankAccount(): Promise<void> {
    const { body } = await this.#service.bankCollections()
    for (const transfer of body.data) {
      if (this.#transfers.has(transfer.transactionref)) continue
      this.#transfers.add(transfer.transactionref)
      const order = this.#orderNamed(transfer.description)
      const { transactionref: slip, uuid: id, amount, description: words } = transfer
      if (order) await this.#book(id, Number(amount), order)
      else this.unclaimed.push({ slip, id, amount: Number(amount), words })
    }
  }

  /** The customer calls, and reads the transfer's reference from the bank's slip. */
  async claim(slip: string, order: Order): Promise<void> {
    this.#soon(async () => {
      const at = this.unclaimed.findIndex((money) => money.slip === slip)
      const [money] = at < 0 ? [] : this.unclaimed.splice(at, 1)
      if (money) await this.#book(money.id, money.amount, order, money.by)
    })
    await this.atRest()
  }

  async #book(id: string, amount: number, order: Order, by: Payment['by'] = 'bank'): Promise<void> {
    const payment = this.#newPayment(order, by)
    payment.id = id
    await this.#learn(payment, 'SUCCESS', amount)
  }

  #age({ askedAt }: Payment): number {
    return this.settings.now().getTime() - askedAt.getTime()
  }

  async #learn(payment: Payment, status: string, amount: number, reason?: string): Promise<void> {
    const news = payment.status !== status
    payment.status = status
    payment.received = PAID.includes(status) ? amount : 0
    if (!news) return
    const { order } = payment
    order.received = this.#of(order).reduce((sum, { received }) => sum + received, 0)
    order.refundDue = Math.max(0, order.received - order.price)
    if (order.received >= order.price) await this.#shipOnce(order)
    else if (this.shipped.includes(order)) order.state = 'owed'
    else if (order.received > 0) order.message = `${order.price - order.received} shillings are missing.`
    else if (status === 'FAILED') order.message = `${reason ?? 'Your payment did not go through'}. Please try again.`
  }

  /** What the shop believes of every payment that it asked for or took. */
  books(): BooksLine[] {
    const currency = this.#currency
    const asked = [...this.#payments.values()].map((payment) => {
      const { reference, order, by, id, status, received } = payment
      const last = payment === this.#of(order).at(-1)
      return {
        ...(by !== 'bank' && { reference }),
        requestId: id,
        kind: kinds[by],
        amount: received || order.price,
        currency,
        status,
        ...(last && { refundDue: order.refundDue }),
      }
    })
    return [
      ...asked,
      ...this.unclaimed.map(({ id, amount }) => ({ requestId: id, amount, currency, status: 'SUCCESS' })),
    ]
  }

  #close(order: Order): void {
    order.state = 'over'
    order.message = 'Nobody paid, so we closed your order.'
  }

  async #shipOnce(order: Order): Promise<void> {
    order.state = 'paid'
    if (!this.shipped.includes(order)) await this.#ship(order)
  }

  get #currency(): string {
    return this.settings.country === 'Kenya' ? 'KES' : 'TZS'
  }

  /** A prompt as the shop's country needs it. */
  #prompt(order: Order): Omit<PhoneRequest, 'description' | 'callbackUrl'> {
    const country = {
      Kenya: { currencyCode: 'KSH' },
      Tanzania: { currencyCode: 'TZS', channel: 'TZ-TIGO-C2B' },
    } as const
    return {
      phoneNumber: order.phone,
      amount: order.price,
      accountReference: order.number,
      ...country[this.settings.country],
    }
  }

  /** A payment page, in Kenya. */
  #page(order: Order): Omit<PageRequest, 'externalReference' | 'callbackUrl'> {
    return {
      amount: order.price,
      currency: 'KES',
      description: `Order ${order.number} at Duka la Mtaa`,
      successUrl: this.url('/thanks'),
      cancelUrl: this.url(`/cancelled/${order.number}`),
      paymentMethods: ['CARD', 'MPESA_STK'],
      paymentReference: order.number,
    }
  }

  #collection(id: string): Promise<Answer<{ data: Collection }>> {
    return this.settings.country === 'Kenya' ? this.#service.collection(id) : this.#service.tanzanianCollection(id)
  }

  async #ship(order: Order): Promise<void> {
    await this.courier(order)
    this.shipped.push(order)
    order.message = 'Your goods are on their way.'
  }

  #isTooOld(order: Order): boolean {
    return this.settings.now().getTime() - order.placedAt.getTime() >= UNPAID_FOR_MINUTES * 60_000
  }

  // ---- The shop on the web ------------------------------------------------------------------------------------------

  async open(): Promise<void> {
    const app = new Hono()
    app.use(async (c, next) => (this.down ? c.text('Back in a moment', 503) : next()))
    app.get('/cancelled/:number', (c) => {
      const order = this.orders.find(({ number }) => number === c.req.param('number'))
      if (!order) return c.notFound()
      this.#comeBackUnpaid(order)
      return c.text(order.message)
    })
    app.post('/callbacks/:reference?', async (c) => {
      const told = { reference: c.req.param('reference'), headers: c.req.raw.headers, text: await c.req.text() }
      return new Response(null, { status: await this.#hear(told) })
    })
    app.onError((trouble, c) => {
      this.troubles.push(trouble)
      return c.text('Something went wrong', 500)
    })
    await new Promise<void>((opened) => {
      this.#server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => opened())
    })
  }

  /** The address of one of its pages. */
  url(path: string): string {
    if (!this.#server) throw new Error('The shop is not open yet')
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}${path}`
  }

  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}
