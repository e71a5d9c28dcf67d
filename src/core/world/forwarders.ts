import type { Post, PostResult } from '../host.ts'
import { inboxAddress } from '../model/inbox.ts'
import type { ForwarderState, Forwarding, RemoteEnd } from '../model/remote.ts'
import { type Remote, Remotes, type RemotesOptions } from './remotes.ts'

interface Delivery {
  /** Does not change when an attempt is made again, so that a forwarder recognises it. */
  readonly id: string
  readonly post: Post
}

interface OpenDelivery extends Delivery {
  /** It was put on some stream: its receiver may have it. */
  sent: boolean
  onLine: boolean
  resolve(result: PostResult | undefined): void
  cancelDeadline(): void
}

interface Member extends Remote, Omit<Forwarding, keyof Remote> {
  state: ForwarderState
  readonly open: Map<string, OpenDelivery>
  answered: number
}

/** Real milliseconds for an answer to travel back, besides the time that the receiver itself has. */
const RETURN_MS = 10_000

const nothing = () => {}

/**
 * The one that joined first and takes an address gets all callbacks to it. A delivery that was never put on a stream
 * goes back to the world when its forwarder is gone. One that was put there counts as tried, because its receiver may
 * have it. What had no answer when the world was closed is on the agenda, and waits for the forwarders of then: their
 * connections are lost, and they have their lease to come back.
 */
export class Forwarders extends Remotes<Member, Delivery> {
  readonly #keep: (forwarders: readonly Forwarding[]) => void
  readonly #replaced = new Set<string>()
  #samples = 0

  constructor({
    kept,
    keep,
    ...options
  }: RemotesOptions & { kept: readonly Forwarding[]; keep(forwarders: readonly Forwarding[]): void }) {
    super(options)
    this.#keep = keep
    for (const forwarding of kept)
      this.add((remote) => member(remote, forwarding, 'away'), forwarding, forwarding.leaseMs)
  }

  /** Whether another one of its name took its place, which it may hear of only when it comes back. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id)
  }

  join(forwarding: Forwarding): Member {
    const former = [...this.members.values()].find(({ name }) => name === forwarding.name)
    const joined = this.add((remote) => member(remote, forwarding, 'joining'), forwarding)
    if (former) {
      for (const delivery of former.open.values()) {
        if (delivery.sent || !takes(joined, delivery.post.url)) continue
        former.open.delete(delivery.id)
        joined.open.set(delivery.id, delivery)
      }
      this.#replaced.add(former.id)
      this.leave(former.id, 'replaced')
    } else this.#store()
    return joined
  }

  #store(): void {
    const all = [...this.members.values()]
    this.#keep(all.map(({ name, forwardTo, callbackUrl, leaseMs }) => ({ name, forwardTo, callbackUrl, leaseMs })))
  }

  /** Deliveries without an answer are sent on each new stream once more. */
  protected connected(member: Member): void {
    member.state = 'connected'
    for (const delivery of member.open.values()) delivery.onLine = false
  }

  /** Deliveries that are yet to be sent on its stream. From now on an answer is waited for. */
  take(id: string): readonly Delivery[] {
    const member = this.members.get(id)
    const all = [...(member?.open.values() ?? [])].filter(({ onLine }) => !onLine)
    for (const delivery of all) {
      delivery.sent = true
      delivery.onLine = true
      delivery.cancelDeadline()
      delivery.cancelDeadline = this.alarm(delivery.post.timeoutMs + RETURN_MS, () => {
        member?.open.delete(delivery.id)
        delivery.resolve({ ...unanswered('TIMEOUT', 'no answer'), forwarder: member?.name })
      })
    }
    return all
  }

  /** It may come back within its lease. */
  protected disconnected(member: Member): void {
    member.state = 'away'
    for (const delivery of member.open.values()) delivery.cancelDeadline()
    this.lease(member)
  }

  /** Takes the outcome of a delivery. False where nobody waits for it any more. */
  answer(id: string, deliveryId: string, result: PostResult): boolean {
    const member = this.members.get(id)
    const delivery = member?.open.get(deliveryId)
    if (!member || !delivery) return false
    member.open.delete(deliveryId)
    member.answered++
    delivery.cancelDeadline()
    delivery.resolve({ ...result, forwarder: member.name })
    return true
  }

  protected left(member: Member, why: RemoteEnd): void {
    for (const delivery of member.open.values()) {
      delivery.cancelDeadline()
      const lost = unanswered('FORWARDER_LOST', `${member.name} was gone before it answered`)
      delivery.resolve(delivery.sent ? { ...lost, forwarder: member.name } : undefined)
    }
    if (why === 'left' || why === 'replaced') this.#store()
  }

  /** Whether somebody takes callbacks to an address. Those to an inbox of mfano stay here. */
  takes(url: string): boolean {
    return this.#takerOf(url) !== undefined
  }

  /** Has somebody post it elsewhere. Undefined: nobody does, and the world itself sends it. */
  forward(post: Post): Promise<PostResult | undefined> | undefined {
    const member = this.#takerOf(post.url)
    if (!member) return undefined
    const { promise, resolve } = Promise.withResolvers<PostResult | undefined>()
    const id = post.id ?? `${member.id}-${++this.#samples}`
    member.open.set(id, { id, post, sent: false, onLine: false, resolve, cancelDeadline: nothing })
    member.line?.wake()
    return promise
  }

  #takerOf(url: string): Member | undefined {
    if (this.members.size === 0 || inboxAddress(url)) return undefined
    return [...this.members.values()].find((member) => takes(member, url))
  }

  /** Ends the streams. Deliveries stay open, so that the agenda has them when the world closes. */
  hangUp(): void {
    for (const { line } of this.members.values()) line?.end('closed')
  }
}

function member(remote: Remote, { forwardTo, callbackUrl }: Forwarding, state: ForwarderState): Member {
  return { ...remote, forwardTo, callbackUrl, state, open: new Map(), answered: 0 }
}

function takes({ callbackUrl }: Forwarding, url: string): boolean {
  return callbackUrl === undefined || url.startsWith(callbackUrl)
}

function unanswered(code: string, message: string): PostResult {
  return { failure: { code, message, stage: 'answer' }, tookMs: 0 }
}
