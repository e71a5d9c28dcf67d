/** Who takes part in a world's time: programs whose timers live in it, and which time waits for. */
import type { Clock } from '../clock/clock.ts'
import { alarmAfter, type Host } from '../host.ts'
import type { Absence, Grant, Look, Participant, ParticipantState, RestReport } from '../model/participant.ts'
import type { InstantUs } from '../model/time.ts'
import type { Leases } from './leases.ts'

/** How a participant is reached. */
export interface Line {
  grant(grant: Grant): void
  /** Asks what it does; it answers with this number. */
  look(number: number): void
  /** The participant has left, or the world is closed. */
  end(): void
}

interface Member {
  readonly id: string
  readonly name: string
  readonly leaseMs: number
  state: ParticipantState
  granted: Grant
  /** The instant at which it was waited for last. */
  awaitedAtUs: InstantUs
  nextDueUs: InstantUs | undefined
  requests: number
  line: Line | undefined
  readonly release: () => void
  cancelLease(): void
  /** Told once when it rests, or is not waited for any longer; whether it did anything. */
  rested: ((active: boolean) => void) | undefined
  looked: ((look: Pick<Look, 'idle' | 'requests'>) => void) | undefined
  /** Takes the next grant in the place of its line: undefined where none comes. */
  awaits: ((grant: Grant | undefined) => void) | undefined
}

/** Real milliseconds from joining to reading the stream. */
const READ_WITHIN_MS = 10_000

const nothing = () => {}

/**
 * The field's word for this is conservative co-simulation: each participant says when its next timer is due, time goes to
 * the earliest of those and of what the world has due, and each is granted that instant and works until it rests. They
 * are granted it one after another, so that the same run has the same order. They live in memory: a copy of the world
 * has none.
 */
export class Participants {
  readonly #clock: Clock
  readonly #host: Pick<Host, 'alarm' | 'wallUs'>
  readonly #leases: Leases
  readonly #epoch: string
  readonly #members = new Map<string, Member>()
  #joined = 0
  #looks = 0
  #timers = 0
  /** Told of those that are not waited for any longer, while somebody moves time. */
  #missed: (absence: Absence) => void = nothing
  #letGo: () => void = nothing

  constructor({
    clock,
    host,
    leases,
    epoch,
  }: {
    clock: Clock
    host: Pick<Host, 'alarm' | 'wallUs'>
    leases: Leases
    /** Of the world's feed, so that an id of the world before a reset names nobody. */
    epoch: string
  }) {
    this.#clock = clock
    this.#host = host
    this.#leases = leases
    this.#epoch = epoch
  }

  get count(): number {
    return this.#members.size
  }

  list(): Participant[] {
    return [...this.#members.values()].map(shown)
  }

  /** One that is to read its stream soon. */
  join(name: string, leaseMs: number): Participant {
    const id = `${this.#epoch}-${++this.#joined}`
    const member: Member = {
      id,
      name,
      leaseMs,
      state: 'joining',
      granted: { number: 0, nowUs: this.#clock.now(), rate: 0, beforeUs: 0 },
      awaitedAtUs: this.#clock.now(),
      nextDueUs: undefined,
      requests: 0,
      line: undefined,
      release: this.#leases.take(),
      cancelLease: alarmAfter(this.#host, READ_WITHIN_MS, () => this.leave(id)),
      rested: undefined,
      looked: undefined,
      awaits: undefined,
    }
    this.#members.set(id, member)
    return shown(member)
  }

  has(id: string): boolean {
    return this.#members.has(id)
  }

  /** It reads its stream: from now on time waits for it. False where it is read already. */
  connect(id: string, line: Line): boolean {
    const member = this.#members.get(id)
    if (!member || member.line) return false
    member.line = line
    this.#grant(member)
    return true
  }

  /** It is gone: nobody reads its stream any more. */
  disconnect(id: string): void {
    const member = this.#members.get(id)
    if (member?.state === 'working') this.#missed(absent(member, 'disconnected'))
    this.leave(id)
  }

  leave(id: string): void {
    const member = this.#members.get(id)
    if (!member) return
    this.#members.delete(id)
    member.cancelLease()
    member.release()
    member.line?.end()
    answered(member)
    member.rested?.(true)
    member.looked?.({ idle: false, requests: 0 })
  }

  /** It rests. What it says of an earlier grant is out of date. */
  report(id: string, { grant, nextDueUs, requests, active, timers }: RestReport): void {
    const member = this.#members.get(id)
    if (!member || member.state === 'joining' || grant !== member.granted.number) return
    member.cancelLease()
    this.#timers += timers
    member.state = 'resting'
    member.nextDueUs = nextDueUs
    member.requests = requests
    const { rested } = member
    member.rested = undefined
    rested?.(active)
  }

  /** It has gone on by itself to an instant at which it is about to ask somebody for something. */
  reached(id: string, nowUs: InstantUs): void {
    const member = this.#members.get(id)
    if (member?.state !== 'working' || !this.#clock.paused || nowUs >= member.granted.beforeUs) return
    this.#clock.pause(Math.max(nowUs, this.#clock.now()))
  }

  /** Timers that participants have run by themselves. */
  get timers(): number {
    return this.#timers
  }

  /** The next grant, which then does not come over its line; undefined where it left, or asks once more. */
  nextGrant(id: string): Promise<Grant | undefined> {
    const member = this.#members.get(id)
    if (!member) return Promise.resolve(undefined)
    answered(member)
    return new Promise((resolve) => {
      member.awaits = resolve
    })
  }

  /** When the next timer of one that rests is due. */
  nextDueUs(): InstantUs | undefined {
    let next: InstantUs | undefined
    for (const { state, nextDueUs } of this.#members.values())
      if (state === 'resting' && nextDueUs !== undefined && (next === undefined || nextDueUs < next)) next = nextDueUs
    return next
  }

  /** Whether one is waited for. */
  get working(): boolean {
    return [...this.#members.values()].some(({ state }) => state === 'working')
  }

  /**
   * While time is moved, `missed` is told of those that it does not wait for: at once of those that are overdue already.
   * Gives a function that ends that.
   */
  follow(missed: (absence: Absence) => void): () => void {
    this.#missed = missed
    for (const member of this.#members.values()) if (member.state === 'overdue') missed(absent(member, 'lease_expired'))
    return () => {
      this.#missed = nothing
    }
  }

  /** Nobody waits for them any longer. */
  letGo(): void {
    this.#letGo()
  }

  /**
   * Grants everybody the instant that the clock shows, one after another, and resolves when all rest. What one does may
   * wake another that rested before it, so it goes around until none of several did anything.
   * @param beforeUs the next instant at which something else is due; who takes part alone may go on until then
   */
  async rest(beforeUs: InstantUs): Promise<void> {
    let over = false
    const { promise: left, resolve } = Promise.withResolvers<void>()
    this.#letGo = () => {
      over = true
      resolve()
    }
    const beganUs = this.#host.wallUs()
    for (let again = true; again && !over; ) {
      again = false
      for (const member of [...this.#members.values()]) {
        if (over) break
        // One that left while another was waited for is waited for by nobody.
        if (member.state === 'joining' || !this.#members.has(member.id)) continue
        // It works on, and is told what time it is; whoever was too slow once is not waited for until it rests.
        const isWaitedFor = member.state !== 'overdue'
        const active = this.#granted(member, isWaitedFor, this.#members.size === 1 ? beforeUs : 0)
        if (!isWaitedFor || !(await Promise.race([active, left])) || this.#members.size === 1) continue
        again = true
        // Those that wake each other for ever rest one by one, and never all.
        if (this.#host.wallUs() - beganUs > member.leaseMs * 1000) this.#overdue(member)
      }
    }
    this.#letGo = nothing
  }

  /** Tells those who do not know it what time it is and how it goes, and waits for nobody. */
  tell(): void {
    const nowUs = this.#clock.now()
    for (const member of this.#members.values()) {
      const { line, granted, state } = member
      const knows = granted.rate === this.#rate && (granted.rate > 0 || granted.nowUs === nowUs)
      if (line && !knows) this.#grant(member, state !== 'overdue')
    }
  }

  /** Asks everybody what it does; who does not say within so many real milliseconds is not idle. */
  look(timeoutMs: number): Promise<Look[]> {
    const number = ++this.#looks
    return Promise.all(
      [...this.#members.values()].map(
        ({ id, name }) =>
          new Promise<Look>((resolve) => {
            const member = this.#members.get(id)
            const answer = (look: Pick<Look, 'idle' | 'requests'>) => {
              cancel()
              if (member?.looked === answer) member.looked = undefined
              resolve({ id, name, ...look })
            }
            const cancel = alarmAfter(this.#host, timeoutMs, () => answer({ idle: false, requests: 0 }))
            if (!member?.line) return answer({ idle: false, requests: 0 })
            // Two that look at once get one answer: what is true of it now is true for both.
            const others = member.looked
            member.looked = (look) => {
              others?.(look)
              answer(look)
            }
            member.line.look(number)
          }),
      ),
    )
  }

  /** It has been looked at. */
  looked(id: string, look: Pick<Look, 'idle' | 'requests'>): void {
    const member = this.#members.get(id)
    const looked = member?.looked
    if (member) member.looked = undefined
    looked?.(look)
  }

  close(): void {
    for (const id of [...this.#members.keys()]) this.leave(id)
  }

  /** World seconds per real second; while somebody moves time it stands between the instants. */
  get #rate(): number {
    return this.#clock.paused ? 0 : this.#clock.rate
  }

  /** Resolves when it rests, or is not waited for any longer; with whether it did anything. */
  #granted(member: Member, waitsFor: boolean, beforeUs: InstantUs): Promise<boolean> {
    this.#grant(member, waitsFor, beforeUs)
    if (!waitsFor) return Promise.resolve(false)
    return new Promise((resolve) => {
      member.rested = resolve
    })
  }

  #grant(member: Member, waitsFor = true, beforeUs: InstantUs = 0): void {
    member.granted = { number: member.granted.number + 1, nowUs: this.#clock.now(), rate: this.#rate, beforeUs }
    if (waitsFor) {
      member.state = 'working'
      member.awaitedAtUs = member.granted.nowUs
      member.cancelLease()
      member.cancelLease = alarmAfter(this.#host, member.leaseMs, () => this.#overdue(member))
    }
    if (member.awaits) answered(member, member.granted)
    else member.line?.grant(member.granted)
  }

  #overdue(member: Member): void {
    member.cancelLease()
    member.state = 'overdue'
    this.#missed(absent(member, 'lease_expired'))
    const { rested } = member
    member.rested = undefined
    rested?.(false)
  }
}

function answered(member: Member, grant?: Grant): void {
  const { awaits } = member
  member.awaits = undefined
  awaits?.(grant)
}

function shown({ id, name, state, leaseMs, nextDueUs, requests, granted }: Member): Participant {
  return { id, name, state, leaseMs, nextDueUs, requests, grantedUs: granted.nowUs }
}

function absent({ id, name, awaitedAtUs }: Member, why: Absence['why']): Absence {
  return { id, name, why, sinceUs: awaitedAtUs }
}
