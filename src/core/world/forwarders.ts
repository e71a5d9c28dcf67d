/** Who takes a world's callbacks elsewhere: programs that read them from a stream and answer what their receiver did. */
import { alarmAfter, type Host, type Post, type PostResult } from '../host.ts'
import type { Forwarder, ForwarderLine, ForwarderState, Forwarding, ForwardingEnd } from '../model/forwarder.ts'
import { inboxAddress } from '../model/inbox-address.ts'
import type { Leases } from './leases.ts'

/** A callback on its way to a forwarder. */
interface Delivery {
  /** Does not change when an attempt is made again, so that a forwarder recognises it. */
  readonly id: string
  readonly post: Post
}

interface OpenDelivery extends Delivery {
  /** It was put on some stream: its receiver may have it. */
  sent: boolean
  /** It was put on the stream that is read now. */
  onLine: boolean
  /** Undefined: the world itself shall send it. */
  resolve(result: PostResult | undefined): void
  cancelDeadline(): void
}

interface Member extends Forwarding {
  readonly id: string
  state: ForwarderState
  readonly open: Map<string, OpenDelivery>
  answered: number
  line: ForwarderLine | undefined
  readonly release: () => void
  cancelLease(): void
}

/** Real milliseconds from joining to reading the stream. */
const READ_WITHIN_MS = 10_000
/** Real milliseconds for an answer to travel back, besides the time that the receiver itself has. */
const RETURN_MS = 10_000

const nothing = () => {}

/**
 * The one that joined first and takes an address gets all callbacks to it. A delivery that was never put on a stream
 * goes back to the world when its forwarder is gone. One that was put there counts as tried, because its receiver may
 * have it. What had no answer when the world was closed is on the agenda, and waits for the forwarders of then: their
 * connections are lost, and they have their lease to come back.
 */
export class Forwarders {
  readonly #host: Pick<Host, 'alarm' | 'wallUs'>
  readonly #leases: Leases
  /** Of the world's feed, so that an id of the world before a reset names nobody. */
  readonly #epoch: string
  readonly #keep: (forwarders: readonly Forwarding[]) => void
  readonly #members = new Map<string, Member>()
  readonly #replaced = new Set<string>()
  #joined = 0
  #samples = 0

  constructor({
    host,
    leases,
    epoch,
    kept,
    keep,
  }: {
    host: Pick<Host, 'alarm' | 'wallUs'>
    leases: Leases
    epoch: string
    /** Those that forwarded when the world was closed. */
    kept: readonly Forwarding[]
    /** Stores who forwards. */
    keep(forwarders: readonly Forwarding[]): void
  }) {
    this.#host = host
    this.#leases = leases
    this.#epoch = epoch
    this.#keep = keep
    for (const forwarding of kept) this.#add(forwarding, 'away', forwarding.leaseMs)
  }

  get count(): number {
    return this.#members.size
  }

  list(): Forwarder[] {
    return [...this.#members.values()].map(shownForwarder)
  }

  has(id: string): boolean {
    return this.#members.has(id)
  }

  /** Whether another one of its name took its place, which it may hear of only when it comes back. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id)
  }

  /** One that is to read its stream soon. It takes the place of another one of its name. */
  join(forwarding: Forwarding): Forwarder {
    const former = [...this.#members.values()].find(({ name }) => name === forwarding.name)
    const member = this.#add(forwarding, 'joining', READ_WITHIN_MS)
    if (former) {
      for (const delivery of former.open.values()) {
        if (delivery.sent || !takes(member, delivery.post.url)) continue
        former.open.delete(delivery.id)
        member.open.set(delivery.id, delivery)
      }
      this.#replaced.add(former.id)
      this.leave(former.id, 'replaced')
    } else this.#store()
    return shownForwarder(member)
  }

  /** One that is gone unless it reads its stream within some real milliseconds. */
  #add(forwarding: Forwarding, state: ForwarderState, withinMs: number): Member {
    const id = `${this.#epoch}-${++this.#joined}`
    const member: Member = {
      ...forwarding,
      id,
      state,
      open: new Map(),
      answered: 0,
      line: undefined,
      release: this.#leases.take(),
      cancelLease: alarmAfter(this.#host, withinMs, () => this.leave(id)),
    }
    this.#members.set(id, member)
    return member
  }

  #store(): void {
    const all = [...this.#members.values()]
    this.#keep(all.map(({ name, forwardTo, callbackUrl, leaseMs }) => ({ name, forwardTo, callbackUrl, leaseMs })))
  }

  /** It reads its stream, again after its connection was lost. Deliveries without an answer are on it once more. */
  connect(id: string, line: ForwarderLine): void {
    const member = this.#members.get(id)
    if (!member) return
    member.cancelLease()
    member.line?.end('replaced')
    member.line = line
    member.state = 'connected'
    for (const delivery of member.open.values()) delivery.onLine = false
  }

  /** What it has yet to be sent on its stream. From now on an answer is waited for. */
  take(id: string): readonly Delivery[] {
    const member = this.#members.get(id)
    const all = [...(member?.open.values() ?? [])].filter(({ onLine }) => !onLine)
    for (const delivery of all) {
      delivery.sent = true
      delivery.onLine = true
      delivery.cancelDeadline()
      delivery.cancelDeadline = alarmAfter(this.#host, delivery.post.timeoutMs + RETURN_MS, () => {
        member?.open.delete(delivery.id)
        delivery.resolve({ ...unanswered('TIMEOUT', 'no answer'), forwarder: member?.name })
      })
    }
    return all
  }

  /** Nobody reads its stream any more: it may come back within its lease. */
  disconnect(id: string, line: ForwarderLine): void {
    const member = this.#members.get(id)
    if (member?.line !== line) return
    member.line = undefined
    member.state = 'away'
    for (const delivery of member.open.values()) delivery.cancelDeadline()
    member.cancelLease = alarmAfter(this.#host, member.leaseMs, () => this.leave(id))
  }

  /** What came of a delivery. False where nobody waits for that any more. */
  answer(id: string, deliveryId: string, result: PostResult): boolean {
    const member = this.#members.get(id)
    const delivery = member?.open.get(deliveryId)
    if (!member || !delivery) return false
    member.open.delete(deliveryId)
    member.answered++
    delivery.cancelDeadline()
    delivery.resolve({ ...result, forwarder: member.name })
    return true
  }

  leave(id: string, why: ForwardingEnd = 'left'): void {
    const member = this.#members.get(id)
    if (!member) return
    this.#members.delete(id)
    member.cancelLease()
    member.release()
    for (const delivery of member.open.values()) {
      delivery.cancelDeadline()
      const lost = unanswered('FORWARDER_LOST', `${member.name} was gone before it answered`)
      delivery.resolve(delivery.sent ? { ...lost, forwarder: member.name } : undefined)
    }
    member.line?.end(why)
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
    if (this.#members.size === 0 || inboxAddress(url)) return undefined
    return [...this.#members.values()].find((member) => takes(member, url))
  }

  /** Ends the streams. Deliveries stay open, so that the agenda has them when the world closes. */
  hangUp(): void {
    for (const { line } of this.#members.values()) line?.end('closed')
  }

  close(discarded: boolean): void {
    for (const id of [...this.#members.keys()]) this.leave(id, discarded ? 'discarded' : 'closed')
  }
}

function takes({ callbackUrl }: Forwarding, url: string): boolean {
  return callbackUrl === undefined || url.startsWith(callbackUrl)
}

function unanswered(code: string, message: string): PostResult {
  return { failure: { code, message, stage: 'answer' }, tookMs: 0 }
}

function shownForwarder(member: Member): Forwarder {
  const { id, name, forwardTo, callbackUrl, leaseMs, state, answered, open } = member
  return { id, name, forwardTo, callbackUrl, leaseMs, state, answered, open: open.size }
}
