/** The first version: it was written in a week, passed its tests against a sandbox where all goes well, and went live. */
import type { Order } from './book.ts'
import { type Callback, Department } from './department.ts'
import { type Answer, NoAnswer } from './service.ts'
import { bodyOf, places } from './ways.ts'

const TRIES = 3
const HOUR_S = 3600

export class Naive extends Department {
  #token: string | undefined

  /** One login for each run. */
  override async run(): Promise<void> {
    this.#token = undefined
    await super.run()
  }

  /** What was not answered, or answered with 5xx, has not happened: so try it again. */
  protected override async pay(order: Order): Promise<void> {
    if (order.payments.length > 0) return
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const answer = await this.#ask(order, `${order.purpose} ${attempt}`)
      if (answer?.status === 201) {
        const { requestId } = answer.body.data
        const { amount } = order
        order.payments.push({ reference: '', amount, fee: 0, state: 'sent', requestId, askedAtS: this.time.now() })
        this.sendPayslip(order)
        return
      }
      if (answer?.status === 401) throw new Error('The service does not let us in')
      if (answer && answer.status < 500) {
        order.state = 'closed'
        order.note = answer.body.error.message
        return
      }
      await this.time.pause(1)
    }
    throw new Error('The service is down')
  }

  async #ask(order: Order, reference: string): Promise<Answer | undefined> {
    const { payee, amount, purpose } = order
    const body = bodyOf({ payee, amount, reference, text: purpose, purpose, callbackUrl: this.callbackUrl })
    try {
      return await this.#call('POST', places[payee.way].create, body)
    } catch (error) {
      if (error instanceof NoAnswer) return undefined
      throw error
    }
  }

  /** The first news is the last. */
  protected override async hear({ requestId, status }: Callback): Promise<void> {
    const found = this.book.find(requestId)
    if (found?.payment.state !== 'sent') return
    found.payment.state = status === 'SUCCESS' ? 'paid' : 'failed'
    if (status !== 'SUCCESS') found.order.state = 'closed'
  }

  /** Whatever nobody called back about within the hour got lost: pay it again. */
  override async tidyUp(): Promise<void> {
    this.#token = undefined
    for (const order of this.book.orders) {
      const lost = order.payments.find(
        ({ state, askedAtS }) => state === 'sent' && this.time.now() - askedAtS >= HOUR_S,
      )
      if (!lost) continue
      order.payments = []
      await this.pay(order)
    }
  }

  /** An allocation is done at once, so nobody waits for it or looks at the answer. */
  override async topUp(branch: Department, needed: number): Promise<void> {
    const { body } = await this.#call('GET', '/api/sandbox/v1/multiaccount/wallet/total/breakdown')
    const { netBalance } = body.find(
      ({ organisationUuid }: { organisationUuid: string }) => organisationUuid === branch.companyId,
    )
    const missing = needed - netBalance
    if (missing <= 0) return
    const allocation = { fromOrganisationId: this.companyId, toOrganisationId: branch.companyId, amount: missing }
    await this.#call('POST', '/api/sandbox/v1/allocations/new', allocation)
    this.book.move(-missing)
    branch.book.move(missing)
  }

  async #call(method: string, path: string, body?: object): Promise<Answer> {
    this.#token ??= await this.service.login()
    return this.service.call(method, path, { token: this.#token, body })
  }
}
