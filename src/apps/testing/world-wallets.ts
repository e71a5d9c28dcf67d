/** Wallets of a world, for tests. */
import type { Control, Wallet } from '../../client/control.ts'
import type { Currency } from '../../client/service.gen.ts'

export type { Currency }

/** The money of a world. */
export class WorldWallets {
  readonly #control: Control
  readonly #companyId: string

  constructor(control: Control, companyId: string) {
    this.#control = control
    this.#companyId = companyId
  }

  async list(): Promise<Wallet[]> {
    return (await this.#control('GET', '/wallets')).wallets
  }

  /**
   * Major units that a wallet can spend now; 0 without a wallet.
   * @param organisationId by default the world's own organisation
   */
  async available(currency: Currency = 'KES', organisationId = this.#companyId): Promise<number> {
    const kept = currency === 'KSH' ? 'KES' : currency
    const wallets = await this.list()
    const wallet = wallets.find((one) => one.organisationId === organisationId && one.currency === kept)
    return wallet?.available ?? 0
  }

  /**
   * Adds money to a wallet.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ scenario: 'insufficient-funds' })
   * const before = await world.wallets.available()
   * await world.wallets.fund(5000)
   * assert.equal(await world.wallets.available(), before + 5000)
   * ```
   */
  fund(amount: number, options: { currency?: Currency; organisationId?: string } = {}): Promise<Wallet> {
    return this.#control('POST', '/wallets/fund', { body: { currency: 'KES', ...options, amount } })
  }
}
