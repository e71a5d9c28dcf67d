/** Servers that take POST send-money: mfano, and what one would write who keeps nothing. */
import { inChild, path, Service, startMfano } from './kit.ts'
import type { Load, Loaded } from './load.ts'

const ROUTE = '/api/sandbox/v1/send-money'

/** A server that can be asked for payouts. */
export class Target {
  readonly service: Service
  readonly #token: string | undefined

  constructor(service: Service, token?: string) {
    this.service = service
    this.#token = token
  }

  /** The real program. Time stands still in its world, so the token stays good and payments stay PENDING. */
  static async mfano(data: string): Promise<Target> {
    return Target.on(await startMfano(data))
  }

  static async on(service: Service): Promise<Target> {
    const answer = await fetch(service.url('/api/v1/get-token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
    })
    const { data: pair } = (await answer.json()) as { data: { access_token: string } }
    return new Target(service, pair.access_token)
  }

  static async bare(): Promise<Target> {
    return new Target(await Service.start([path('test/bench/bare-server.ts')]))
  }

  /** Requests per second, and processor time per request in microseconds. */
  async load(
    extent: Pick<Load, 'seconds' | 'requests' | 'connections' | 'callbackUrl'>,
  ): Promise<Loaded & { cpuUs: number }> {
    const before = this.service.cpuMs() ?? 0
    const load: Load = { url: this.service.url(ROUTE), ...extent, ...(this.#token && { token: this.#token }) }
    const loaded = await inChild<Loaded>('load.ts', load)
    const after = this.service.cpuMs() ?? Number.NaN
    return { ...loaded, cpuUs: ((after - before) * 1000) / loaded.requests }
  }

  stop(): Promise<void> {
    return this.service.stop()
  }
}
