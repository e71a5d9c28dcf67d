/** Customers who pay in, for tests. */
import type { Control } from '../../client/control.ts'
import type { PaymentSummary } from '../../client/control-answers.ts'

/** A customer who pays by phone. */
export interface MobileCollection {
  phoneNumber: string
  amount: number
  accountReference?: string
  description?: string
  callbackUrl?: string
  referenceId?: string
  organisationId?: string
}

/** A customer who pays into the bank account. */
export interface BankCollection {
  amount: number
  /** The organisation's own unless given. */
  accountNumber?: string
  description?: string
  organisationId?: string
}

/** Money that comes in without a call of the merchant's. */
export class WorldCollections {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** A Kenyan phone pays in shillings. */
  stk(collection: MobileCollection): Promise<PaymentSummary> {
    return this.#control('POST', '/collections/:way', { path: { way: 'stk' }, body: { ...collection } })
  }

  /** A Tanzanian phone pays in shillings. */
  tz(collection: MobileCollection): Promise<PaymentSummary> {
    return this.#control('POST', '/collections/:way', { path: { way: 'tz' }, body: { ...collection } })
  }

  /**
   * Money arrives at the bank.
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
