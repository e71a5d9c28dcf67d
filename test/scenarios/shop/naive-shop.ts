import type { BankCollection } from './payments-service.ts'
import { type BooksLine, LOOK_AT_YOUR_PHONE, type Order, Shop, type Told } from './shop.ts'

/**
 * The first version, as it went live: it works in the demo. A callback that is not a failure is money, a failure is the
 * end of the order, and nobody asks the service anything unless a customer complains.
 */
export class NaiveShop extends Shop {
  /** Orders by the id that the service gave their payment. */
  readonly #orders = new Map<string, Order>()
  readonly #books = new Map<string, BooksLine>()

  async payByPhone(order: Order): Promise<void> {
    const { body } = await this.service.askByPhone({
      ...this.prompt(order),
      description: `Order ${order.number} at Duka la Mtaa`,
      callbackUrl: this.url('/callbacks'),
    })
    if (body.data) this.#begin(body.data.requestId, 'stk', order)
    order.message = LOOK_AT_YOUR_PHONE
  }

  async payOnTheWeb(order: Order): Promise<string> {
    const { body } = await this.service.openPage({
      ...this.page(order),
      externalReference: order.number,
      callbackUrl: this.url('/callbacks'),
    })
    this.#begin(body.id, 'checkout', order)
    return body.checkoutUrl
  }

  /** Looks whether the service has the payment. Accepted sounds good. */
  async claimPaid(order: Order): Promise<void> {
    for (const [id, paidFor] of this.#orders) {
      if (paidFor !== order) continue
      const { body } = await this.collection(id)
      const { status, responseDescription, amount } = body.data
      if (/success|accepted/i.test(`${status} ${responseDescription}`)) await this.#paid(id, order, amount)
    }
  }

  protected comeBackUnpaid(order: Order): void {
    this.#over(order)
  }

  protected async hear({ reference, text }: Told): Promise<number> {
    if (reference === 'bank') return this.#hearOfTransfer(JSON.parse(text))
    const { requestId, id, status, amount } = JSON.parse(text)
    const order = this.#orders.get(requestId ?? id)
    if (!order) return 200
    if (status === 'FAILED') this.#over(order)
    else if (order.state !== 'over') await this.#paid(requestId ?? id, order, amount)
    return 200
  }

  /** Whoever writes the number of an order has paid for it. */
  async #hearOfTransfer({ uuid, description, amount }: BankCollection): Promise<number> {
    const order = this.orders.find(({ number }) => number === description)
    if (order) await this.#paid(uuid, order, Number(amount))
    return 200
  }

  async routine(): Promise<void> {
    for (const order of this.orders) if (order.state === 'waiting' && this.isTooOld(order)) this.#over(order)
  }

  async atRest(): Promise<void> {}

  books(): BooksLine[] {
    return [...this.#books.values()]
  }

  #begin(id: string, kind: string, order: Order): void {
    this.#orders.set(id, order)
    this.#books.set(id, { requestId: id, kind, amount: order.price, currency: this.currency, status: 'PENDING' })
  }

  async #paid(id: string, order: Order, amount: number): Promise<void> {
    order.state = 'paid'
    order.received += amount
    const before = this.#books.get(id)
    const received = before?.status === 'SUCCESS' ? before.amount + amount : amount
    this.#books.set(id, { requestId: id, ...before, amount: received, currency: this.currency, status: 'SUCCESS' })
    await this.ship(order)
  }

  #over(order: Order): void {
    order.state = 'over'
    order.message = 'Your order was cancelled.'
    for (const [id, line] of this.#books)
      if (this.#orders.get(id) === order && line.status === 'PENDING') line.status = 'FAILED'
  }
}
