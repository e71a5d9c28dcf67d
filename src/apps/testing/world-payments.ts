/** Payments of a world, for tests. */
import type { Control, ControlAnswer, PaymentDetail, PaymentSummary } from '../../client/control.ts'
import type { PaymentKind } from '../../client/service.gen.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject } from '../../core/model/payment.ts'
import { asMethod } from './named-control.ts'
import { type Verification, type Verified, verify, type WaitOptions, type Where, waitFor } from './verification.ts'

export interface PaymentSearch {
  kind?: PaymentKind
  status?: string
  organisationId?: string
  /** The caller's own reference. */
  referenceId?: string
  /** Part of its uuid, request, reference or record, whatever the case; a phone number in any spelling. */
  search?: string
  /** At most 1000. Default 100. */
  limit?: number
}

/** Example of a payment, for waiting. */
export interface PaymentExample {
  uuid?: string
  kind?: PaymentKind
  status?: string
  amount?: number
  currency?: string
  organisationId?: string
  referenceId?: string
  rule?: string
  /** Fields of the request. */
  request?: Readonly<Record<string, unknown>>
  /** Fields that its end set. */
  details?: Readonly<Record<string, unknown>>
}

/** The payments of a world, and why they ended as they did. */
export class WorldPayments {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** Newest first. */
  async list(filter: PaymentSearch = {}): Promise<PaymentSummary[]> {
    const { payments } = await this.#control('GET', '/payments', { query: { ...filter } })
    return payments
  }

  /**
   * With record, plan, rule trace, timeline, transfers and callbacks.
   * @param uuid the `requestId` that the service answered
   */
  get(uuid: string): Promise<PaymentDetail> {
    return this.#control('GET', '/payments/:id', { path: { id: uuid } })
  }

  /**
   * Waits for a matching payment and returns the newest. Fails with what came nearest. In a frozen world only requests
   * cause anything, so move the clock first.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ clock: { mode: 'scaled', rate: 100 } })
   * await world.collect.stk({ phoneNumber: '254712345678', amount: 250, referenceId: 'order-7' })
   * const paid = await world.payments.waitFor({ referenceId: 'order-7', status: 'SUCCESS' })
   * assert.equal(paid.amount, 250)
   * ```
   */
  async waitFor(where: Where<PaymentExample> = {}, options: WaitOptions = {}): Promise<PaymentSummary> {
    const [payment] = await waitFor<PaymentSummary>(this.#control, 'payment', where, options)
    return must(payment)
  }

  /** Fails unless the payments are as wanted: how many, in which order, and nothing after. */
  verify(where: Where<PaymentExample>, wanted: Verification<PaymentExample> = {}): Promise<Verified<PaymentSummary>> {
    return verify(this.#control, 'payment', where, wanted)
  }

  /**
   * Why a payment is where it is: request, rule, plan, transitions, money, callbacks, and what would move it on.
   * @param id whatever names it: a uuid, a reference, a receipt, a request id
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ scenario: 'stuck-pending' })
   * const { uuid } = await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
   * const { stopped } = await world.payments.explain(uuid)
   * assert.equal(stopped.waitsFor, 'operator')
   * assert.match(await world.payments.explainText(uuid), /"nobody answers the prompt" decided/)
   * ```
   */
  explain(id: string): Promise<ControlAnswer<'GET', '/payments/:id/explain'>> {
    return this.#control('GET', '/payments/:id/explain', { path: { id } })
  }

  /** The explanation as text. */
  async explainText(id: string): Promise<string> {
    const { explanationText } = await import('../../inspect/explain-payment.ts')
    return explanationText(await this.explain(id), asMethod)
  }

  /**
   * Ends a payment now, whatever was planned.
   * @param extra fields that the end sets in the record
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ scenario: 'stuck-pending' })
   * const { uuid } = await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
   * const { record } = await world.payments.resolve(uuid, 'SUCCESS', { customerMessage: 'Paid by hand' })
   * assert.equal(record?.customerMessage, 'Paid by hand')
   * ```
   */
  resolve(uuid: string, status: string, extra?: Readonly<Record<string, unknown>>): Promise<PaymentDetail> {
    return this.#control('POST', '/payments/:id/resolve', {
      path: { id: uuid },
      body: { status, ...(extra && { with: extra as JsonObject }) },
    })
  }
}
