/** Servers that take payments: mfano, what one would write who keeps nothing, and a peer. */
import { inChild, path, Service, startMfano } from './kit.ts'
import type { Load, Loaded, PeerRequest } from './load.ts'

const ROUTE = '/api/sandbox/v1/send-money'
/** What `emulate` takes instead. */
const PEER_ROUTE = '/v1/payment_intents'
const PEER_REQUEST: PeerRequest = {
  contentType: 'application/x-www-form-urlencoded',
  body: 'amount=1050&currency=usd&description=order-[<id>]',
  status: 200,
  tokens: 'sk_test_',
}

/** A server that can be asked for payouts. */
export class Target {
  readonly service: Service
  readonly #asked: Pick<Load, 'token' | 'peer'>
  readonly #route: string

  constructor(service: Service, asked: Pick<Load, 'token' | 'peer'> = {}, route = ROUTE) {
    this.service = service
    this.#asked = asked
    this.#route = route
  }

  /** The real program. Time stands still in its world, so the token stays good and payments stay PENDING. */
  static async mfano(data: string): Promise<Target> {
    return Target.on(await startMfano(data))
  }

  /** The real program without files. */
  static async inMemory(scenario: string): Promise<Target> {
    return Target.on(await startMfano(':memory:', '--scenario', scenario))
  }

  static async on(service: Service): Promise<Target> {
    const answer = await fetch(service.url('/api/v1/get-token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
    })
    const { data: pair } = (await answer.json()) as { data: { access_token: string } }
    return new Target(service, { token: pair.access_token })
  }

  static async bare(): Promise<Target> {
    return new Target(await Service.start([path('test/bench/bare-server.ts')]))
  }

  /** The emulator of a payments service that the package `emulate` ships, asked for payment intents. */
  static async emulate(): Promise<Target> {
    return new Target(await Service.start([path('test/bench/emulate-server.ts')]), { peer: PEER_REQUEST }, PEER_ROUTE)
  }

  /** Requests per second, and processor time per request in microseconds. */
  async load(
    extent: Pick<Load, 'seconds' | 'requests' | 'connections' | 'callbackUrl'>,
  ): Promise<Loaded & { cpuUs: number }> {
    const before = this.service.cpuMs() ?? 0
    const load: Load = { url: this.service.url(this.#route), ...extent, ...this.#asked }
    const loaded = await inChild<Loaded>('load.ts', load)
    const after = this.service.cpuMs() ?? Number.NaN
    return { ...loaded, cpuUs: ((after - before) * 1000) / loaded.requests }
  }

  stop(): Promise<void> {
    return this.service.stop()
  }
}
