import { type BooksLine, LOOK_AT_YOUR_PHONE, type Order, Shop, type Told } from './shop.ts'
import { isFromTheService } from './signature.ts'

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
export class CarefulShop extends Shop {
  readonly #payments = new Map<string, Payment>()
  /** Transfers into the bank account that are booked, or wait to be claimed. */
  readonly #transfers = new Set<string>()
  #work: Promise<void> = Promise.resolve()

  async payByPhone(order: Order): Promise<void> {
    if (await this.#isPaidOrBeingPaid(order)) return
    const payment = this.#newPayment(order, 'phone')
    order.message = LOOK_AT_YOUR_PHONE
    const request = {
      ...this.prompt(order),
      description: order.number,
      callbackUrl: this.url(`/callbacks/${payment.reference}`),
      referenceId: payment.reference,
    }
    const answer = await this.service.askByPhone(request).catch(() => undefined)
    if (answer?.body.data) payment.id = answer.body.data.requestId
    // Refused is refused. After an outage, or without an answer, the phone may be ringing all the same.
    if (answer && answer.status >= 400 && answer.status < 500) {
      payment.status = 'REFUSED'
      order.message = 'We cannot reach your phone now. Please pay on the web.'
    }
  }

  async payOnTheWeb(order: Order): Promise<string | undefined> {
    if (await this.#isPaidOrBeingPaid(order)) return this.#unfinishedOf(order)?.address
    const payment = this.#newPayment(order, 'page')
    const request = {
      ...this.page(order),
      externalReference: payment.reference,
      callbackUrl: this.url(`/callbacks/${payment.reference}`),
    }
    const page = await this.service.openPage(request).catch(() => undefined)
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

  async claimPaid(order: Order): Promise<void> {
    await this.#isPaidOrBeingPaid(order)
  }

  /** Whoever comes back may go and pay after all, in another tab. */
  protected comeBackUnpaid(order: Order): void {
    order.message = 'You have not paid yet.'
  }

  protected async hear(told: Told): Promise<number> {
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

  async routine(): Promise<void> {
    this.#soon(async () => {
      // Those that are over too: money can be taken back, and money can come late.
      for (const payment of this.#payments.values()) if (this.#age(payment) < WATCHED_FOR_MS) await this.#look(payment)
      await this.#findUnknown()
      await this.#readBankAccount()
      for (const order of this.orders)
        if (order.state === 'waiting' && this.isTooOld(order) && !this.#unfinishedOf(order)) this.#close(order)
    })
    await this.atRest()
  }

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
      const { status, body } = await this.collection(payment.id ?? payment.reference)
      if (status === 200) {
        payment.id = body.data.uuid
        await this.#learn(payment, body.data.status, body.data.amount, body.data.responseDescription)
      } else if (status === 404 && this.#age(payment) > ARRIVES_WITHIN_MS) payment.status = 'REFUSED'
    } else if (payment.by === 'page' && payment.id !== undefined) {
      const { status, body } = await this.service.page(payment.id)
      if (status === 200) await this.#learn(payment, body.status, body.amount)
    }
  }

  /** What the service took by phone, and the shop has never asked for. */
  async #findUnknown(): Promise<void> {
    const known = new Set([...this.#payments.values(), ...this.unclaimed].map(({ id }) => id))
    const { body } = await this.service.collections()
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
    const { body } = await this.service.bankCollections()
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

  books(): BooksLine[] {
    const { currency } = this
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
    if (!this.shipped.includes(order)) await this.ship(order)
  }
}
