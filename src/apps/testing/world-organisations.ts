/** Organisations of a world, for tests. */
import type { Control, Credentials, Organisation } from '../../client/control.ts'

/** The organisations of a world: its own and sub-accounts. */
export class WorldOrganisations {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  async list(): Promise<Organisation[]> {
    return (await this.#control('GET', '/organisations')).organisations
  }

  /**
   * A new key pair of an organisation, such as a sub-account. Earlier ones stay valid.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const [own] = await world.organisations.list()
   * const second = await world.client(await world.organisations.credentials(own!.uuid))
   * await second.listPaybillPayments()
   * ```
   */
  credentials(uuid: string, given: { apiKey?: string; apiSecret?: string } = {}): Promise<Credentials> {
    return this.#control('POST', '/organisations/:uuid/credentials', { path: { uuid }, body: given })
  }

  /** Sets the address for bank collections. null removes it. */
  update(uuid: string, change: { collectionCallbackUrl: string | null }): Promise<Organisation> {
    return this.#control('PATCH', '/organisations/:uuid', { path: { uuid }, body: change })
  }
}
