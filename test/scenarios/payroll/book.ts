/** The department's own book: what it owes, what it sent, and what ought to be left in its wallet. */

/** Somebody to pay, and how. */
export type Payee = { name: string } & (
  | { way: 'phone'; phone: string }
  | { way: 'bank'; bankCode: string; account: string }
  | { way: 'till'; number: string }
  | { way: 'paybill'; number: string; account: string }
)

/** One try at paying an order. */
export interface Payment {
  /** Ours, different for every payment. */
  reference: string
  amount: number
  /** What the service charged for it, as far as its record shows. */
  fee: number
  /** unknown: it was asked for, and nobody knows whether it was made. */
  state: 'unknown' | 'sent' | 'paid' | 'failed'
  /** The service's, once we have it. */
  requestId?: string
  /** Seconds of the department's clock. */
  askedAtS: number
}

/** What the department owes somebody. */
export interface Order {
  /** Ours, such as `payroll-12`. */
  id: string
  payee: Payee
  amount: number
  purpose: string
  payments: Payment[]
  /** closed: nobody will try again by itself. */
  state: 'open' | 'closed'
  /** Not to be paid before; seconds of the department's clock. */
  notBeforeS: number
  note: string
}

/** Orders and money. Amounts are in shillings; the wallet is the one that the department pays from. */
export class Book {
  readonly orders: Order[] = []
  readonly #name: string
  #wallet: number

  constructor(openingBalance: number, name: string) {
    this.#wallet = openingBalance
    this.#name = name
  }

  owe(payee: Payee, amount: number, purpose: string): Order {
    const id = `${this.#name}-${this.orders.length + 1}`
    const order: Order = { id, payee, amount, purpose, payments: [], state: 'open', notBeforeS: 0, note: '' }
    this.orders.push(order)
    return order
  }

  /** Money that came into the wallet, or left it, otherwise than by a payment. */
  move(amount: number): void {
    this.#wallet += amount
  }

  /** What ought to be in the wallet: what is paid and what is on its way has left it. */
  get balance(): number {
    const gone = this.orders
      .flatMap(({ payments }) => payments)
      .filter(({ state }) => state !== 'failed')
      .reduce((sum, { amount, fee }) => sum + amount + fee, 0)
    return this.#wallet - gone
  }

  find(requestId: string): { order: Order; payment: Payment } | undefined {
    for (const order of this.orders) {
      const payment = order.payments.find((one) => one.requestId === requestId)
      if (payment) return { order, payment }
    }
    return undefined
  }
}

/** What reached the payee, as far as the department knows. */
export function paid(order: Order): number {
  return sumOf(order, ['paid'])
}

/** What is neither paid nor on its way. */
export function stillDue(order: Order): number {
  return order.state === 'closed' ? 0 : order.amount - sumOf(order, ['unknown', 'sent', 'paid'])
}

function sumOf({ payments }: Order, states: Payment['state'][]): number {
  return payments.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount, 0)
}
