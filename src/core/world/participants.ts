import type { Clock } from '../engine/clock.ts'
import type { Absence, Grant, Look, ParticipantState, RestReport } from '../model/remote.ts'
import type { InstantUs } from '../model/time.ts'
import { type Remote, Remotes, type RemotesOptions } from './remotes.ts'

interface Member extends Remote {
  state: ParticipantState
  granted: Grant
  awaitedAtUs: InstantUs
  grants: number
  overdueBecause: 'lease_expired' | 'never_rests'
  nextDueUs: InstantUs | undefined
  requests: number
  unsent: PendingGrant
  /** Called once when it rests or time stops waiting for it; `active`: whether it did anything. */
  rested: ((active: boolean) => void) | undefined
  looked: PromiseWithResolvers<Looked> | undefined
}

type Looked = Pick<Look, 'idle' | 'requests'>

const BUSY: Looked = { idle: false, requests: 0 }

/** Only the newest grant and look: time does not wait for a slow reader. */
export interface PendingGrant {
  grant?: Grant
  look?: number
}

const MOST_GRANTS = 1000

const nothing = () => {}

/**
 * Conservative co-simulation: each participant says when its next timer is due, time goes to the earliest due event of
 * the world or a participant, and each participant gets that instant and works until it rests. They take turns, so that
 * equal runs have equal order. Kept in memory: a copy of the world has none. One whose connection ends has left.
 */
export class Participants extends Remotes<Member, PendingGrant> {
  readonly #clock: Clock
  #looks = 0
  #timers = 0
  readonly #absent = new Map<string, Absence>()
  #letGo: () => void = nothing

  constructor({ clock, ...options }: RemotesOptions & { clock: Clock }) {
    super(options)
    this.#clock = clock
  }

  join(name: string, leaseMs: number): Member {
    const nowUs = this.#clock.now()
    const make = (remote: Remote): Member => ({
      ...remote,
      state: 'joining',
      granted: { number: 0, nowUs, rate: 0, beforeUs: 0 },
      awaitedAtUs: nowUs,
      grants: 0,
      overdueBecause: 'lease_expired',
      nextDueUs: undefined,
      requests: 0,
      unsent: {},
      rested: undefined,
      looked: undefined,
    })
    return this.add(make, { name, leaseMs })
  }

  take(id: string): readonly PendingGrant[] {
    const member = this.members.get(id)
    if (!member) return []
    const { unsent } = member
    member.unsent = {}
    return [unsent]
  }

  protected connected(member: Member): void {
    this.#grant(member)
  }

  protected disconnected(member: Member): void {
    if (member.state === 'working') this.#missed(member, 'disconnected')
    this.leave(member.id)
  }

  protected left(member: Member): void {
    member.rested?.(true)
    member.looked?.resolve(BUSY)
  }

  report(id: string, { grant, nextDueUs, requests, active, timers }: RestReport): void {
    const member = this.members.get(id)
    if (!member || member.state === 'joining' || grant !== member.granted.number) return
    member.cancelLease()
    this.#timers += timers
    const endless = active || (nextDueUs ?? Number.POSITIVE_INFINITY) <= member.granted.nowUs
    const wasEndless = member.state === 'overdue' && member.overdueBecause === 'never_rests'
    if (endless && (wasEndless || member.grants > MOST_GRANTS)) this.#overdue(member, 'never_rests')
    else member.state = 'resting'
    member.nextDueUs = nextDueUs
    member.requests = requests
    const { rested } = member
    member.rested = undefined
    rested?.(active)
  }

  /** It advanced on its own to an instant at which it will send a request. */
  reached(id: string, nowUs: InstantUs): void {
    const member = this.members.get(id)
    if (member?.state !== 'working' || !this.#clock.paused || nowUs >= member.granted.beforeUs) return
    this.#clock.pause(Math.max(nowUs, this.#clock.now()))
  }

  /** Since the clock run began: timers that they ran by themselves, and those that time did not wait for. */
  get timers(): number {
    return this.#timers
  }

  get absent(): Absence[] {
    return [...this.#absent.values()]
  }

  nextDueUs(): InstantUs {
    const resting = [...this.members.values()].filter(({ state }) => state === 'resting')
    return Math.min(...resting.map(({ nextDueUs }) => nextDueUs ?? Number.POSITIVE_INFINITY))
  }

  get working(): boolean {
    return [...this.members.values()].some(({ state }) => state === 'working')
  }

  beginRun(): void {
    this.#timers = 0
    this.#absent.clear()
    for (const member of this.members.values()) {
      member.grants = 0
      if (member.state === 'overdue') this.#missed(member, member.overdueBecause)
    }
  }

  releaseWaiters(): void {
    this.#letGo()
  }

  /**
   * Grants everybody the clock's instant, in turn, and resolves when all rest. A participant may wake others that
   * rested before it, so this repeats until none does anything.
   * @param beforeUs the next instant at which something else is due; a single participant may advance until then
   */
  async rest(beforeUs: InstantUs): Promise<void> {
    let over = false
    const { promise: left, resolve } = Promise.withResolvers<void>()
    this.#letGo = () => {
      over = true
      resolve()
    }
    for (let again = true; again && !over; ) {
      again = false
      for (const member of [...this.members.values()]) {
        if (over) break
        // One that left while another was waited for is waited for by nobody.
        if (member.state === 'joining' || !this.members.has(member.id)) continue
        // It works on, and is told what time it is; whoever was too slow once is not waited for until it rests.
        const isWaitedFor = member.state !== 'overdue'
        this.#grant(member, isWaitedFor, this.members.size === 1 ? beforeUs : 0)
        if (!isWaitedFor) continue
        const active = new Promise<boolean>((resolve) => {
          member.rested = resolve
        })
        if ((await Promise.race([active, left])) && this.members.size > 1) again = true
      }
    }
    this.#letGo = nothing
  }

  tell(): void {
    const nowUs = this.#clock.now()
    for (const member of this.members.values()) {
      const { line, granted, state } = member
      const knows = granted.rate === this.#rate && (granted.rate > 0 || granted.nowUs === nowUs)
      if (line && !knows) this.#grant(member, state !== 'overdue')
    }
  }

  /** Asks everybody what they do. Without an answer in time (real milliseconds), a participant counts as busy. */
  look(timeoutMs: number): Promise<Look[]> {
    const number = ++this.#looks
    return Promise.all(
      this.list().map(async (member) => {
        const { id, name, line } = member
        if (!line) return { id, name, ...BUSY }
        // Two that look at once get one answer: what is true of it now is true for both.
        member.looked ??= Promise.withResolvers()
        const { promise } = member.looked
        member.unsent.look = number
        line.wake()
        let cancel = nothing
        const late = new Promise<Looked>((resolve) => {
          cancel = this.alarm(timeoutMs, () => resolve(BUSY))
        })
        return { id, name, ...(await Promise.race([promise, late]).finally(() => cancel())) }
      }),
    )
  }

  looked(id: string, { idle, requests }: Looked): void {
    const member = this.members.get(id)
    member?.looked?.resolve({ idle, requests })
    if (member) member.looked = undefined
  }

  /** World seconds per real second; 0 while the clock is moved. */
  get #rate(): number {
    return this.#clock.paused ? 0 : this.#clock.rate
  }

  #grant(member: Member, waitsFor = true, beforeUs: InstantUs = 0): void {
    const nowUs = this.#clock.now()
    member.grants = nowUs === member.granted.nowUs ? member.grants + 1 : 1
    member.granted = { number: member.granted.number + 1, nowUs, rate: this.#rate, beforeUs }
    if (waitsFor) {
      member.state = 'working'
      member.awaitedAtUs = member.granted.nowUs
      this.lease(member, member.leaseMs, () => this.#overdue(member, 'lease_expired'))
    }
    member.unsent.grant = member.granted
    member.line?.wake()
  }

  #overdue(member: Member, why: Member['overdueBecause']): void {
    member.cancelLease()
    member.state = 'overdue'
    member.overdueBecause = why
    this.#missed(member, why)
    const { rested } = member
    member.rested = undefined
    rested?.(false)
  }

  #missed({ id, name, awaitedAtUs }: Member, why: Absence['why']): void {
    if (!this.#absent.has(id)) this.#absent.set(id, { id, name, why, sinceUs: awaitedAtUs })
  }
}
