/** Customers who pay without a request, for tests. */
import type { Control, PaymentSummary } from '../../client/control.ts'

export interface MobileCollection {
  phoneNumber: string
  amount: number
  accountReference?: string
  description?: string
  callbackUrl?: string
  referenceId?: string
  organisationId?: string
}

export interface BankCollection {
  amount: number
  /** Default: the organisation's own. */
  accountNumber?: string
  description?: string
  organisationId?: string
}

/** Money that arrives without a call of the merchant. */
export class WorldCollections {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** A Kenyan phone pays, in KES. */
  stk(collection: MobileCollection): Promise<PaymentSummary> {
    return this.#control('POST', '/collections/:way', { path: { way: 'stk' }, body: { ...collection } })
  }

  /** A Tanzanian phone pays, in TZS. */
  tz(collection: MobileCollection): Promise<PaymentSummary> {
    return this.#control('POST', '/collections/:way', { path: { way: 'tz' }, body: { ...collection } })
  }

  /**
   * Money arrives in the bank account.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const [own] = await world.organisations.list()
   * await world.organisations.update(own!.uuid, { collectionCallbackUrl: world.inbox('bank').url })
   * await world.collect.bank({ amount: 1200 })
   * await world.clock.advance('1m')
   * assert.equal((await world.inbox('bank').messages()).length, 1)
   * ```
   */
  bank(collection: BankCollection): Promise<PaymentSummary> {
    return this.#control('POST', '/collections/:way', { path: { way: 'bank' }, body: { ...collection } })
  }
}
