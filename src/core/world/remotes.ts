import { alarmAfter, type Host } from '../host.ts'
import type { RemoteEnd, RemoteLine } from '../model/remote.ts'
import type { Leases } from './leases.ts'

export interface RemotesOptions {
  host: Pick<Host, 'alarm' | 'wallUs'>
  leases: Leases
  /** The feed's epoch, so that an id of the world before a reset names nobody. */
  epoch: string
}

export interface Remote {
  readonly id: string
  readonly name: string
  /** Real milliseconds. */
  readonly leaseMs: number
  line: RemoteLine | undefined
  readonly release: () => void
  cancelLease(): void
}

/** Real milliseconds from joining to reading the stream. */
const READ_WITHIN_MS = 10_000

/** Each remote keeps the world open. The newest reader of its stream counts. */
export abstract class Remotes<Member extends Remote, Event> {
  protected readonly members = new Map<string, Member>()
  readonly #options: RemotesOptions
  #joined = 0

  constructor(options: RemotesOptions) {
    this.#options = options
  }

  get count(): number {
    return this.members.size
  }

  list(): Member[] {
    return [...this.members.values()]
  }

  has(id: string): boolean {
    return this.members.has(id)
  }

  connect(id: string, line: RemoteLine): void {
    const member = this.members.get(id)
    if (!member) return
    member.cancelLease()
    member.line?.end('replaced')
    member.line = line
    this.connected(member)
  }

  abstract take(id: string): readonly Event[]

  disconnect(id: string, line: RemoteLine): void {
    const member = this.members.get(id)
    if (member?.line !== line) return
    member.line = undefined
    this.disconnected(member)
  }

  leave(id: string, why: RemoteEnd = 'left'): void {
    const member = this.members.get(id)
    if (!member) return
    this.members.delete(id)
    member.cancelLease()
    member.release()
    this.left(member, why)
    member.line?.end(why)
  }

  close(why: RemoteEnd): void {
    for (const id of [...this.members.keys()]) this.leave(id, why)
  }

  /** Adds one that is gone unless it reads its stream in time. */
  protected add(
    make: (remote: Remote) => Member,
    joining: Pick<Remote, 'name' | 'leaseMs'>,
    withinMs = READ_WITHIN_MS,
  ) {
    const { epoch, leases } = this.#options
    const id = `${epoch}-${++this.#joined}`
    const remote: Remote = { ...joining, id, line: undefined, release: leases.take(), cancelLease: () => {} }
    const member = make(remote)
    this.members.set(id, member)
    this.lease(member, withinMs)
    return member
  }

  /** @param withinMs real time */
  protected lease(member: Member, withinMs = member.leaseMs, expired = () => this.leave(member.id)): void {
    member.cancelLease()
    member.cancelLease = this.alarm(withinMs, expired)
  }

  protected alarm(afterMs: number, ring: () => void): () => void {
    return alarmAfter(this.#options.host, afterMs, ring)
  }

  protected abstract connected(member: Member): void
  protected abstract disconnected(member: Member): void
  protected abstract left(member: Member, why: RemoteEnd): void
}
