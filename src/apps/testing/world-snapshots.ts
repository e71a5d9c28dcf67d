/** Snapshots of a world, for tests. */
import type { Control, ControlAnswer, Snapshot } from '../../client/control.ts'

/** Saves a world under a name, to restore or fork. */
export class WorldSnapshots {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /**
   * Saves the world as it is now.
   * @param name by default one that is free
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const { name } = await world.snapshots.save('before-payday')
   * await world.wallets.fund(5000)
   * await world.snapshots.restore(name)
   * assert.equal(await world.wallets.available(), 1000000)
   * ```
   */
  save(name?: string, options: { note?: string; replace?: boolean } = {}): Promise<Snapshot> {
    return this.#control('POST', '/snapshots', { body: { ...(name !== undefined && { name }), ...options } })
  }

  async list(): Promise<ControlAnswer<'GET', '/snapshots'>['snapshots']> {
    return (await this.#control('GET', '/snapshots')).snapshots
  }

  /** Restores money, payments, clock, and what was due. */
  async restore(name: string): Promise<void> {
    await this.#control('POST', '/snapshots/:name/restore', { path: { name } })
  }

  async remove(name: string): Promise<void> {
    await this.#control('DELETE', '/snapshots/:name', { path: { name } })
  }
}
