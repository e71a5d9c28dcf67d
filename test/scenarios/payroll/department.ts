/** What both editions of the payroll department are alike in: its book, its callback address, its day's work. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Book, type Order, type Payee } from './book.ts'
import { type Credentials, Service, type Time } from './service.ts'

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
}

/** The body of a callback about a payout. Others of its fields differ by the way of payment. */
export interface Callback {
  requestId: string
  status: string
}

const HOUR_S = 3600

export abstract class Department {
  readonly book: Book
  /** Whom it wrote to that the money is there. */
  readonly payslips = new Set<string>()
  /** What a person has to look at. */
  readonly todo = new Set<string>()
  readonly companyId: string
  readonly baseUrl: string
  protected readonly service: Service
  protected readonly time: Time
  protected callbackUrl = ''
  readonly #paceS: number
  #server: Server | undefined

  constructor({ baseUrl, credentials, time, openingBalance, paceS = 0, name = 'payroll' }: Setup) {
    this.book = new Book(openingBalance, name)
    this.service = new Service(baseUrl, credentials, time)
    this.companyId = credentials.companyId
    this.baseUrl = baseUrl
    this.time = time
    this.#paceS = paceS
  }

  /** Pays one order, as far as that goes today. A throw ends the run. */
  protected abstract pay(order: Order): Promise<void>
  /** Books what a callback says. */
  protected abstract hear(callback: Callback): Promise<void>
  /** Looks after what is not finished. */
  abstract tidyUp(): Promise<void>
  /** Sees to it that a sub-account holds an amount, at the cost of the department's own wallet. */
  abstract topUp(branch: Department, needed: number): Promise<void>

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
      await this.pay(order)
      if (this.#paceS > 0) await this.time.pause(this.#paceS)
    }
  }

  /** What its scheduler does: pay, come back in an hour, tidy up, and pay what is due then. */
  async shift(): Promise<void> {
    await this.run()
    await this.time.pause(HOUR_S)
    await this.tidyUp()
    await this.run()
  }

  async open(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      // Booked first and answered then, so that what we could not book is sent again.
      await this.hear(JSON.parse(text)).then(
        () => response.writeHead(200),
        () => response.writeHead(500),
      )
      response.end()
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.callbackUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/payouts`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  protected sendPayslip({ payee }: Order): void {
    this.payslips.add(payee.name)
  }
}
