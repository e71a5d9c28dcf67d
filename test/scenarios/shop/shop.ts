/** A web shop that takes mobile money. Here is what its two editions have in common; they differ in how they get paid. */
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

export const LOOK_AT_YOUR_PHONE = 'Look at your phone.'
const UNPAID_FOR_MINUTES = 30

export abstract class Shop {
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
  protected readonly service: PaymentsService
  readonly settings: ShopSettings
  #server: ServerType | undefined

  constructor(settings: ShopSettings) {
    this.settings = settings
    this.service = new PaymentsService(settings.account)
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
  abstract payByPhone(order: Order): Promise<void>

  /** Presses "Pay on the web": the address that the browser is led to, when there is something to pay. */
  abstract payOnTheWeb(order: Order): Promise<string | undefined>

  /** Presses "I have paid, where are my goods?" */
  abstract claimPaid(order: Order): Promise<void>

  /** Comes back from the payment page by its cancel button. */
  protected abstract comeBackUnpaid(order: Order): void

  // ---- What the shop does -------------------------------------------------------------------------------------------

  /** Somebody posted to the address for callbacks; gives the HTTP status to answer with. */
  protected abstract hear(told: Told): Promise<number>

  /** Runs every few minutes, by itself. */
  abstract routine(): Promise<void>

  /** Resolves when the shop has worked through all that it has heard. */
  abstract atRest(): Promise<void>

  /** What the shop believes of every payment that it asked for or took. */
  abstract books(): BooksLine[]

  protected get currency(): string {
    return this.settings.country === 'Kenya' ? 'KES' : 'TZS'
  }

  /** A prompt as the shop's country needs it. */
  protected prompt(order: Order): Omit<PhoneRequest, 'description' | 'callbackUrl'> {
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
  protected page(order: Order): Omit<PageRequest, 'externalReference' | 'callbackUrl'> {
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

  protected collection(id: string): Promise<Answer<{ data: Collection }>> {
    return this.settings.country === 'Kenya' ? this.service.collection(id) : this.service.tanzanianCollection(id)
  }

  protected async ship(order: Order): Promise<void> {
    await this.courier(order)
    this.shipped.push(order)
    order.message = 'Your goods are on their way.'
  }

  protected isTooOld(order: Order): boolean {
    return this.settings.now().getTime() - order.placedAt.getTime() >= UNPAID_FOR_MINUTES * 60_000
  }

  // ---- The shop on the web ------------------------------------------------------------------------------------------

  async open(): Promise<void> {
    const app = new Hono()
    app.use(async (c, next) => (this.down ? c.text('Back in a moment', 503) : next()))
    app.get('/cancelled/:number', (c) => {
      const order = this.orders.find(({ number }) => number === c.req.param('number'))
      if (!order) return c.notFound()
      this.comeBackUnpaid(order)
      return c.text(order.message)
    })
    app.post('/callbacks/:reference?', async (c) => {
      const told = { reference: c.req.param('reference'), headers: c.req.raw.headers, text: await c.req.text() }
      return new Response(null, { status: await this.hear(told) })
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
