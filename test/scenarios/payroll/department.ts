/**
 * A payroll department: it takes an answer for what it is, looks before it pays again, and believes the service's records
 * rather than callbacks, time-outs or its own memory. What it cannot settle it hands to a person.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Book, type Order, type Payee, type Payment, paid, stillDue } from './book.ts'
import { type Answer, type Credentials, Service, type Time } from './service.ts'
import { bodyOf, places, type Recorded, textOf } from './ways.ts'

/** What the provider's tariff says, in shillings. */
export interface Tariff {
  largestPayout?: number
  largestAllocation?: number
}

/** What the department is told when it is set up. */
export interface Setup {
  baseUrl: string
  credentials: Credentials
  time: Time
  /** What is in its wallet, in shillings. */
  openingBalance: number
  /** Seconds between one payout and the next. */
  paceS?: number | undefined
  /** Its orders are called `payroll-1` and so on. */
  name?: string
  tariff?: Tariff | undefined
}

/** The body of a callback about a payout. Others of its fields differ by the way of payment. */
export interface Callback {
  requestId: string
  status: string
}

const MINUTE_S = 60
/** A token is good for five minutes; ours is never older than four. */
const TOKEN_S = 4 * MINUTE_S
/** What is in no list after so long was never made. */
const SURELY_LOST_S = 10 * MINUTE_S
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
/** Who could not be paid so often is not paid again without a person. */
const FAILURES_MAX = 3
const TURNS_MAX = 20
/** Refusals that may pass by themselves: too little money, a limit, a lock. */
const LATER = [402, 403, 423]
const TOO_MANY = 429

export class Department {
  readonly book: Book
  /** Whom it wrote to that the money is there. */
  readonly payslips = new Set<string>()
  /** What a person has to look at. */
  readonly todo = new Set<string>()
  readonly companyId: string
  readonly baseUrl: string
  readonly #service: Service
  readonly #time: Time
  #callbackUrl = ''
  readonly #paceS: number
  readonly #tariff: Tariff
  #token: { text: string; madeAtS: number } | undefined
  #topUps: Promise<void> = Promise.resolve()
  #server: Server | undefined

  constructor({ baseUrl, credentials, time, openingBalance, paceS = 0, name = 'payroll', tariff = {} }: Setup) {
    this.book = new Book(openingBalance, name)
    this.#service = new Service(baseUrl, credentials, time)
    this.companyId = credentials.companyId
    this.baseUrl = baseUrl
    this.#time = time
    this.#paceS = paceS
    this.#tariff = tariff
  }

  owe(payee: Payee, amount: number, purpose = 'Salary January'): Order {
    return this.book.owe(payee, amount, purpose)
  }

  /** A person has looked into an order, and perhaps corrected whom it goes to. */
  reopen(order: Order, payee: Payee = order.payee): void {
    order.payee = payee
    order.state = 'open'
    order.notBeforeS = 0
  }

  /** Pays whoever is due, one after the other. */
  async run(): Promise<void> {
    for (const order of this.book.orders.filter(({ state }) => state === 'open')) {
      await this.#pay(order)
      if (this.#paceS > 0) await this.#time.pause(this.#paceS)
    }
  }

  /** What its scheduler does: pay, come back in an hour, tidy up, and pay what is due then. */
  async shift(): Promise<void> {
    await this.run()
    await this.#time.pause(HOUR_S)
    await this.tidyUp()
    await this.run()
  }

  async open(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      // Booked first and answered then, so that what we could not book is sent again.
      await this.#hear(JSON.parse(text)).then(
        () => response.writeHead(200),
        () => response.writeHead(500),
      )
      response.end()
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#callbackUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/payouts`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  #sendPayslip({ payee }: Order): void {
    this.payslips.add(payee.name)
  }

  /** In parts, where the tariff wants it. */
  async #pay(order: Order): Promise<void> {
    const { largestPayout = Number.POSITIVE_INFINITY } = this.#tariff
    if (this.#time.now() < order.notBeforeS) return
    for (let turn = 0; turn < TURNS_MAX && stillDue(order) > 0; turn++) {
      const taken = await this.#ask(order, Math.min(stillDue(order), largestPayout))
      if (!taken) return
    }
  }

  /** Whether to go on with this order. A payment is in the book before it is on the wire. */
  async #ask(order: Order, amount: number): Promise<boolean> {
    const { payee, purpose, payments } = order
    const reference = freeReference(order)
    const payment: Payment = { reference, amount, fee: 0, state: 'unknown', askedAtS: this.#time.now() }
    payments.push(payment)
    // The reference goes into the text as well, because that is what the service's lists show.
    const body = bodyOf({ payee, amount, reference, text: reference, purpose, callbackUrl: this.#callbackUrl })
    let answer: Answer
    try {
      answer = await this.#call('POST', places[payee.way].create, body)
    } catch {
      return false
    }
    // Made or not: the lists will show.
    if (answer.status >= 500) return false
    if (answer.status === 201) {
      payment.state = 'sent'
      payment.requestId = answer.body.data.requestId
      return true
    }
    // Refused, so nothing was made, and the reference is free again.
    payments.pop()
    order.note = reasonOf(answer)
    if (answer.status === TOO_MANY) await this.#time.pause(answer.retryAfterS ?? MINUTE_S)
    else if (!LATER.includes(answer.status)) this.#handOver(order, order.note)
    return answer.status === TOO_MANY
  }

  /** A callback is a reason to look, not the news itself. */
  async #hear({ requestId }: Callback): Promise<void> {
    const found = this.book.find(requestId)
    // Not ours yet, when the answer that holds its id was lost. The lists will bring it.
    if (!found) return
    const { status, body } = await this.#call('GET', places[found.order.payee.way].single + requestId)
    // A bank payout comes as a list of one.
    if (status === 200) this.#note(found.order, found.payment, [body.data].flat()[0])
  }

  /** Holds the book against the service's lists, both ways. */
  async tidyUp(): Promise<void> {
    for (const way of new Set(this.book.orders.map(({ payee }) => payee.way))) {
      const { status, body } = await this.#call('GET', places[way].list)
      if (status !== 200) continue
      for (const record of body.data as Recorded[]) {
        const found = this.book.find(record.uuid) ?? this.#claim(way, record)
        if (found) this.#note(found.order, found.payment, record)
      }
      this.#dropLost(way)
    }
  }

  /** A record that the book has not: the payment whose answer never came, or one more than we asked for. */
  #claim(way: Payee['way'], record: Recorded): { order: Order; payment: Payment } | undefined {
    const reference = textOf(record)
    for (const order of this.book.orders) {
      const asked = order.payments.find((one) => order.payee.way === way && one.reference === reference)
      if (!asked) continue
      if (asked.requestId === undefined) {
        asked.requestId = record.uuid
        return { order, payment: asked }
      }
      const payment: Payment = { ...asked, fee: 0, state: 'sent', requestId: record.uuid }
      order.payments.push(payment)
      this.todo.add(`${order.payee.name}: the service paid ${reference} once more`)
      return { order, payment }
    }
    return undefined
  }

  /** Books what a record says, whatever was booked before. */
  #note(order: Order, payment: Payment, record: Recorded): void {
    const { name } = order.payee
    const before = payment.state
    if (record.status === 'SUCCESS' && before !== 'paid') {
      payment.state = 'paid'
      payment.fee = record.transaction_fee ?? 0
      if (order.payee.way === 'phone' && record.receiverName && !sameName(record.receiverName, name))
        this.todo.add(`${name}: the money went to ${record.receiverName}`)
      if (paid(order) >= order.amount) this.#sendPayslip(order)
    }
    if (record.status === 'FAILED' && before !== 'failed') {
      payment.state = 'failed'
      const failures = order.payments.filter(({ state }) => state === 'failed').length
      if (before === 'paid') this.#handOver(order, 'the money was taken back')
      else if (record.errorDesc) this.#handOver(order, record.errorDesc)
      else if (failures >= FAILURES_MAX) this.#handOver(order, `failed ${failures} times`)
      // Without a reason it may yet turn out to be done.
      else order.notBeforeS = this.#time.now() + DAY_S
    }
    if (record.status === 'PENDING') {
      payment.state = 'sent'
      if (this.#time.now() - payment.askedAtS >= DAY_S) this.todo.add(`${name}: no news for a day`)
    }
  }

  #dropLost(way: Payee['way']): void {
    for (const order of this.book.orders.filter(({ payee }) => payee.way === way)) {
      order.payments = order.payments.filter(
        ({ state, askedAtS }) => state !== 'unknown' || this.#time.now() - askedAtS < SURELY_LOST_S,
      )
    }
  }

  #handOver(order: Order, why: string): void {
    order.state = 'closed'
    order.note = why
    this.todo.add(`${order.payee.name}: ${why}`)
  }

  /** One at a time: two that look before either has acted would both act. */
  topUp(branch: Department, needed: number): Promise<void> {
    const turn = () => this.#topUpNow(branch, needed)
    this.#topUps = this.#topUps.then(turn, turn)
    return this.#topUps
  }

  /** Looks, moves what is missing, and looks again: an allocation has no reference by which to find it. */
  async #topUpNow(branch: Department, needed: number): Promise<void> {
    const { largestAllocation = Number.POSITIVE_INFINITY } = this.#tariff
    const before = await this.#balanceOf(branch)
    let balance = before
    for (let turn = 0; turn < TURNS_MAX && balance < needed; turn++) {
      const amount = Math.min(needed - balance, largestAllocation)
      const allocation = { fromOrganisationId: this.companyId, toOrganisationId: branch.companyId, amount }
      const answer = await this.#call('POST', '/api/sandbox/v1/allocations/new', allocation).catch(() => undefined)
      if (!answer || answer.status >= 500) await this.#time.pause(MINUTE_S)
      else if (answer.status !== 201) {
        this.todo.add(`Top up ${branch.companyId}: ${reasonOf(answer)}`)
        break
      }
      balance = await this.#balanceOf(branch)
    }
    this.book.move(before - balance)
    branch.book.move(balance - before)
  }

  async #balanceOf(branch: Department): Promise<number> {
    const { body } = await this.#call('GET', '/api/sandbox/v1/multiaccount/wallet/total/breakdown')
    return body.find((entry: { organisationUuid: string }) => entry.organisationUuid === branch.companyId).netBalance
  }

  /** A 401 was not executed, so with a new token the same can be said again. */
  async #call(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#service.call(method, path, { token: await this.#freshToken(), body })
    if (answer.status !== 401) return answer
    this.#token = undefined
    return this.#service.call(method, path, { token: await this.#freshToken(), body })
  }

  async #freshToken(): Promise<string> {
    if (!this.#token || this.#time.now() - this.#token.madeAtS >= TOKEN_S)
      this.#token = { text: await this.#service.login(), madeAtS: this.#time.now() }
    return this.#token.text
  }
}

/** The first of `payroll-1/1`, `payroll-1/2` … that no payment of the order has. */
function freeReference({ id, payments }: Order): string {
  let number = 1
  while (payments.some(({ reference }) => reference === `${id}/${number}`)) number++
  return `${id}/${number}`
}

/** The provider's pages show three forms of errors. All of them have a message. */
function reasonOf({ body }: Answer): string {
  return (body.error ?? body).message
}

/** Networks print names in capitals, and sometimes leave one out. */
function sameName(theirs: string, ours: string): boolean {
  const words = theirs.toUpperCase().split(' ')
  return ours
    .toUpperCase()
    .split(' ')
    .every((word) => words.includes(word))
}
