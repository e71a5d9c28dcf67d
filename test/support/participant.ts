/** A participant of a world's clock as any program may be one: by HTTP, with timers of its own. */
import { controlOf } from '../../src/client/control.ts'
import type { TestWorld } from './harness.ts'
import { EventReader } from './stream.ts'

export interface TestGrant {
  grant: number
  now: string
  rate: number
}

export class TestParticipant {
  readonly id: string
  readonly granted: TestGrant[] = []
  /** Resolves when the stream is over. */
  over: Promise<void> = Promise.resolve()
  /** Data of the event that ended its stream. */
  end: unknown
  readonly #base: string
  readonly #events: EventReader

  private constructor(id: string, base: string, events: EventReader) {
    this.id = id
    this.#base = base
    this.#events = events
  }

  /** Joins, and does `work` at each grant; what it gives is when its next timer is due. Without an answer it never rests. */
  static async join(
    world: TestWorld,
    name: string,
    work: (grant: TestGrant, self: TestParticipant) => Promise<string | null | undefined> | string | null | undefined,
    lease = '60s',
    active = false,
  ): Promise<TestParticipant> {
    const { id } = await world.control('POST', '/clock/participants', { name, lease })
    const base = `${world.baseUrl}/_mfano/clock/participants/${id}`
    const events = await EventReader.open(`${base}/grants`)
    const self = new TestParticipant(id, world.baseUrl, events)
    self.over = self.#follow(work, active)
    return self
  }

  async #follow(work: Parameters<typeof TestParticipant.join>[2], active: boolean): Promise<void> {
    for (let event = await this.#events.next(); event; event = await this.#events.next().catch(() => undefined)) {
      if (event.event === 'look') await this.#say('idle', { idle: true })
      if (event.event === 'end') this.end = event.data
      if (event.event !== 'grant') continue
      this.granted.push(event.data)
      const next = await work(event.data, this)
      if (next !== undefined) await this.#say('rest', { grant: event.data.grant, next, active })
    }
  }

  async #say(what: 'rest' | 'idle', body: object): Promise<void> {
    const control = controlOf(this.#base)
    await control('POST', `/clock/participants/:id/${what}`, { path: { id: this.id }, body } as never).catch(() => {})
  }

  get instants(): string[] {
    return this.granted.map(({ now }) => now)
  }

  /** As if it was killed. */
  kill(): void {
    this.#events.close()
  }
}
