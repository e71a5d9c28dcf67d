import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import type { Authority } from '../../hosts/node/authority.ts'
import { capsuleFolder } from '../../judge/keep-capsule.ts'
import { TestWorld } from './test-world.ts'
import { worldControl } from './world-control.ts'
import { checked, type WorldDefaults, type WorldOptions } from './world-options.ts'

/** Default start of worlds in tests, which are frozen. */
export const START = '2025-01-24T16:28:00'
const FROZEN = { mode: 'frozen', start: START } as const

/** A running mfano: makes worlds for tests. */
export class Mfano {
  /** Base URL of the server, which is also that of the world `default`. */
  readonly url: string
  /** The certificate to trust, as PEM, of a mfano that `startMfano({ tls: true })` started. */
  readonly ca: string | undefined
  readonly #authority: Authority | undefined
  readonly #adminToken: string | undefined
  readonly #control: Control
  readonly #defaults: WorldOptions
  readonly #stop: () => Promise<void>

  constructor(
    url: string,
    options: {
      adminToken?: string | undefined
      defaults?: WorldOptions
      authority?: Authority | undefined
      stop?: () => Promise<void>
    } = {},
  ) {
    this.url = url.replace(/\/+$/, '')
    this.#authority = options.authority
    this.ca = options.authority?.certificate
    this.#adminToken = options.adminToken
    this.#control = worldControl(this.url, options.adminToken)
    this.#defaults = options.defaults ?? {}
    this.#stop = options.stop ?? (async () => {})
  }

  /**
   * Makes a world: one for each test, in a few milliseconds. Worlds share nothing.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * await using world = await mfano.world({ scenario: 'slow-rails', seed: 7 })
   * assert.equal(await world.clock.now(), '2025-01-24T16:28:00.000000Z')
   * assert.match(world.baseUrl, /\/w\/w1$/)
   * ```
   */
  async world(options: WorldOptions = {}): Promise<TestWorld> {
    // A fork continues the clock and seed of its original.
    const fresh = options.from === undefined
    const asked = fresh ? { ...this.#defaults, ...options } : options
    const { id, from, scenario, parameters, seed, assumptions, clock = fresh ? FROZEN : 'scenario' } = asked
    const made = await this.#control('POST', '/worlds', {
      body: {
        id,
        from,
        scenario: scenario && checked(scenario),
        parameters,
        seed,
        assumptions,
        record: capsuleFolder() !== undefined || undefined,
        clock: clock === 'scenario' ? undefined : { ...clock, start: instantText(clock.start) },
      },
    })
    return new TestWorld(made, {
      adminToken: this.#adminToken,
      world: (more) => this.world(more),
      remove: async (world) => {
        await this.#control('DELETE', '/worlds/:id', { path: { id: world } })
      },
    })
  }

  /**
   * A certificate for an HTTPS receiver of callbacks in a test, by the authority that `startMfano({ tls: true })` made.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano({ tls: true })
   * const { key, cert } = await mfano.certificate('localhost')
   * assert.match(cert, /^-----BEGIN CERTIFICATE-----/)
   * ```
   */
  async certificate(...names: readonly [string, ...string[]]): Promise<{ key: string; cert: string }> {
    if (!this.#authority)
      throw new MfanoError({
        code: 'NO_TLS',
        message: 'This mfano has no authority here that could issue a certificate.',
        details: 'Start it with startMfano({ tls: true }), or make one with: mfano certificate localhost',
      })
    const { key, certificate } = await this.#authority.issue(names)
    return { key, cert: certificate }
  }

  /** Stops a mfano that `startMfano` started. Only disconnects from any other. */
  close(): Promise<void> {
    return this.#stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/**
 * Connects to a mfano that runs elsewhere: in a container, in another process, on another machine.
 * @param adminToken needed where it is guarded by `MFANO_ADMIN_TOKEN`
 *
 * @example
 * ```ts
 * await using elsewhere = await startMfano({ adminToken: 's3cret' })
 * const mfano = await connectMfano({ url: elsewhere.url, adminToken: 's3cret' })
 * await using world = await mfano.world()
 * assert.equal(await world.available('TZS'), 50000000)
 * ```
 */
export async function connectMfano(options: { url: string; adminToken?: string } & WorldDefaults): Promise<Mfano> {
  const { url, adminToken, ...defaults } = options
  const mfano = new Mfano(url, { adminToken, defaults })
  // Asked at once, so that a wrong address or token shows here and not in the first test.
  await worldControl(mfano.url, adminToken)('GET', '/clock')
  return mfano
}

function instantText(instant: string | Date | undefined): string | undefined {
  return instant instanceof Date ? instant.toISOString() : instant
}
