import type { Control } from './errors.ts'
import type { CallbackDetail, CallbackSummary } from './shapes.ts'

/** Which callbacks to list. */
export interface CallbackFilter {
  state?: CallbackSummary['state']
  /** The uuid of the payment that they tell of. */
  payment?: string
  /** At most so many, up to 1000; 100 unless given. */
  limit?: number
}

/** What the merchant is told: the world's outbox, with every attempt. */
export class WorldCallbacks {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** Newest first. */
  async list(filter: CallbackFilter = {}): Promise<CallbackSummary[]> {
    const { callbacks } = await this.#control<{ callbacks: CallbackSummary[] }>('GET', '/callbacks', {
      query: { ...filter },
    })
    return callbacks
  }

  /** One, with every attempt: what was sent, what came back, and why it did not count. */
  get(id: string | number): Promise<CallbackDetail> {
    return this.#control('GET', `/callbacks/${encodeURIComponent(id)}`)
  }

  /** Sends one again, whatever came of it before: the receiver sees the same id twice. */
  redeliver(id: string | number): Promise<CallbackDetail> {
    return this.#control('POST', `/callbacks/${encodeURIComponent(id)}/redeliver`)
  }

  /** The secret that callbacks are signed with while the assumption `callback-signature` is `standard-webhooks`. */
  async secret(): Promise<string> {
    return (await this.#control<{ secret: string }>('GET', '/callbacks/secret')).secret
  }
}
