/** The lane between one app and its world: counted, noted, held, and where a schedule says so the end of the app. */
import type { Post, PostResult, Send } from '../../core/host.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { World } from '../../core/world.ts'
import { kindsWithoutList } from '../../inspect/finding.ts'
import { paymentsService } from '../../service/service.ts'
import { type PassingRequest, Turns } from '../subject/own-worlds.ts'
import { operationOf } from '../traffic/read-traffic.ts'
import { type Choice, inOrder, paymentOf, recordOf } from './choice.ts'
import type { Crashed, Order, Passage } from './choices/choice-record.ts'
import type { CrashMoment, Happened, PaymentMet } from './happened.ts'

const unlisted = kindsWithoutList(paymentsService)

export class ScheduleLane {
  readonly happened: Happened[] = []
  /** Begins of what choices have somebody do. */
  readonly chosen = new Set<Happened>()
  readonly payments = new MetPayments()
  readonly requests: { operation: string; nth: number; opens: string | undefined }[] = []
  readonly told: PaymentMet[] = []
  crash: (process: string | undefined) => void = () => {}
  sends = 0
  callbacks = 0
  /** Grows with whatever passes between the app and its world, and may have it go on. */
  passed = 0
  /** Requests that met a refusal of the schedule: who met one is owed another try. */
  refused = 0
  /** Requests under way, held ones included. */
  allOpen = 0
  /** Requests for a payment that are worked on, and callbacks that come before the answers to such ones. */
  #opening = 0
  #early = 0
  #doomed: (Crashed & { at: string }) | undefined
  #choices: readonly Choice[] = []
  /** Where two things are to happen at once, both are begun before either is answered. */
  #barrier: Order | undefined
  readonly #untaken = new Set<PaymentMet>()
  readonly #counts = new Map<string, number>()
  /** Callbacks that are due at one instant go one after another. */
  readonly #alone = new Turns(1)
  /** Gives up a callback that the app has not answered. */
  readonly #unanswered: (() => void)[] = []
  #held: { long: boolean; release: () => void }[] = []

  /** From here on a schedule holds; what an app did while it started is before. */
  begin(choices: readonly Choice[]): void {
    this.#choices = choices
    // Sorts that hold for the whole run come last, so theirs counts.
    this.#barrier = inOrder(choices)
      .flatMap((one) => recordOf(one).order?.(one) ?? [])
      .at(-1)
  }

  follow(world: World): void {
    this.payments.follow(world, (met, status) => this.happened.push({ what: 'payment', ...met, status }))
  }

  /** Requests under way that nobody holds on purpose, and that do not wait for the app to hear of their payment first. */
  get open(): number {
    return this.allOpen - this.#held.length - Math.min(this.#opening, this.#early)
  }

  get holds(): boolean {
    return this.#held.some(({ long }) => long)
  }

  get waits(): boolean {
    return this.#held.some(({ long }) => !long)
  }

  /** Lets one answer go that waits only until the app has nothing else to do. False if none waits. */
  letOneGo(): boolean {
    const waiting = this.#held.filter(({ long }) => !long)
    const next = this.#barrier === 'newest-first' ? waiting.at(-1) : waiting[0]
    if (next) this.#releaseHeld(next)
    return next !== undefined
  }

  letAllGo(): boolean {
    const held = this.#held.filter(({ long }) => long)
    for (const one of held) this.#releaseHeld(one)
    return held.length > 0
  }

  async request({ method, path, answer, over }: PassingRequest): Promise<Response> {
    const operation = operationOf({ method, path })
    const name = operation?.id ?? `${method} ${path.split('?')[0]}`
    const nth = this.#next(`request ${name}`)
    this.requests.push({ operation: name, nth, opens: operation?.opens })
    this.allOpen++
    this.passed++
    let made: PaymentMet | undefined
    try {
      if (this.dies()) return new Response(null, { status: 503 })
      if (this.#choices.some((one) => recordOf(one).refuses?.(one, name, nth))) this.refused++
      const about = this.payments.askedAbout(path)
      const of = about && `${about.kind} ${about.nth}`
      this.happened.push({ what: 'request', operation: name, nth, ...(of && { of }) })
      if (this.#crashes('seen', name, nth)) return new Response(null, { status: 503 })
      const opening = operation?.opens ? 1 : 0
      this.#opening += opening
      const answered = await Promise.resolve(answer()).finally(() => {
        this.#opening -= opening
      })
      const response = await this.#rewritten(answered, name, nth)
      made = operation?.opens && response.status < 300 ? this.payments.madeBy(response) : undefined
      const [fate] = made ? this.#about(made).flatMap((one) => recordOf(one).unseen?.(one) ?? []) : []
      const long = fate === 'held' || this.#choices.some((one) => recordOf(one).holds?.(one, name, nth))
      const { status } = response
      this.happened.push({ what: 'answer', operation: name, nth, ...(of && { of }), status, ...(fate && { fate }) })
      if (this.#crashes('executed', name, nth)) {
        if (made) this.#untaken.add(made)
        return response
      }
      if (long || this.#barrier) await this.#hold(long)
      return response
    } finally {
      // Until its last byte is with the system, an app that sleeps may be about to wake up.
      void over().then(() => {
        this.allOpen--
        this.passed++
        const crash = this.#crashAt('answered', name, nth)
        if (!crash) return
        this.#doomed = { at: `answered ${name} ${nth}`, process: crash.process }
        if (made) this.#untaken.add(made)
      })
    }
  }

  async #rewritten(response: Response, operation: string, nth: number): Promise<Response> {
    const rewriting = this.#choices.flatMap((one) => recordOf(one).rewrites?.(one, operation, nth) ?? [])
    // An untrue answer may be told by other means than its body.
    if (rewriting.length === 0 || !response.ok) return response
    const body = await response.text()
    const { status, headers } = response
    headers.delete('content-length')
    return new Response(
      rewriting.reduce((text, rewrite) => rewrite(text), body),
      { status, headers },
    )
  }

  async callback(post: Post, send: Send): Promise<PostResult> {
    const met = this.payments.namedIn(post.body) ?? { kind: 'callback', nth: 0 }
    const first = this.#next(`told ${met.kind} ${met.nth}`) === 1
    if (first) this.told.push(met)
    const passage = this.#passage(met)
    const early = first && passage.isEarly
    const tell = () => this.#tell(post, send, { met, stranger: first ? passage.stranger : undefined, first })
    this.sends++
    this.callbacks++
    this.passed++
    if (early) this.#early++
    try {
      return await (passage.isTogether ? tell() : this.#alone.take(tell))
    } finally {
      this.sends--
      this.passed++
      if (early) this.#early--
    }
  }

  async #tell(
    post: Post,
    send: Send,
    { met, stranger, first }: Pick<Passage, 'stranger'> & { met: PaymentMet; first: boolean },
  ): Promise<PostResult> {
    const { kind, nth } = met
    if (stranger) await this.#lie(stranger, post, met, send)
    if (first) this.#crashes('called', kind, nth)
    const event = { what: 'callback' as const, kind, nth, status: statusIn(post.body), taken: '' }
    this.happened.push(event)
    const result = await this.#send(post, send)
    event.taken = takenAs(result)
    if (first && 'status' in result) this.#crashes('acknowledged', kind, nth)
    return result
  }

  async #lie(stranger: NonNullable<Passage['stranger']>, post: Post, met: PaymentMet, send: Send): Promise<void> {
    // The newest of the others first: about those that are over there is less to lie about.
    const { payment, others } = this.payments.withOthers(met)
    const made = payment && stranger(post, { payment, others })
    if (!made) return
    const event = { what: 'stranger' as const, ...met, taken: '' }
    this.happened.push(event)
    event.taken = takenAs(await this.#send(made, send))
  }

  get unanswered(): number {
    return this.#unanswered.length
  }

  /** As a receiver that takes too long is given up, without the waiting; false where nobody waits. */
  giveUpOne(): boolean {
    const [first] = this.#unanswered
    first?.()
    return first !== undefined
  }

  async #send(post: Post, send: Send): Promise<PostResult> {
    const late = new AbortController()
    const { promise, resolve } = Promise.withResolvers<PostResult>()
    const giveUp = () => {
      const message = `no answer within ${post.timeoutMs} ms`
      resolve({ failure: { code: 'TIMEOUT', message }, tookMs: post.timeoutMs })
      late.abort()
    }
    this.#unanswered.push(giveUp)
    try {
      // A connection of its own, so that no answer waits for an acknowledgement that the system puts off.
      const headers = { ...post.headers, connection: 'close' }
      const signal = AbortSignal.any([post.signal, late.signal])
      return await Promise.race([send({ ...post, headers, signal }), promise])
    } finally {
      this.#unanswered.splice(this.#unanswered.indexOf(giveUp), 1)
    }
  }

  #passage(met: PaymentMet): Passage {
    return Object.assign({}, ...this.#about(met).map((one) => recordOf(one).passage?.(one)))
  }

  #about({ kind, nth }: PaymentMet): Choice[] {
    return this.#choices.filter((one) => paymentOf(one) === `${kind} ${nth}`)
  }

  /**
   * Whether an app could not have known of a payment: it died with the answer, no callback came that it took, and nothing
   * but the id that was in them leads to one of its kind.
   */
  isUnknowable(met: PaymentMet): boolean {
    return (
      this.#untaken.has(met) &&
      unlisted.has(met.kind) &&
      !this.happened.some(
        (one) => one.what === 'callback' && one.kind === met.kind && one.nth === met.nth && one.taken.startsWith('2'),
      )
    )
  }

  async choose(work: () => Promise<void>): Promise<void> {
    const from = this.happened.length
    await work()
    const [first] = this.happened.slice(from)
    if (first) this.chosen.add(first)
  }

  /** Ends an app that lived on only to read its answer. False where none is to end. */
  dies(): boolean {
    const doomed = this.#doomed
    this.#doomed = undefined
    if (doomed) this.end(doomed.at, doomed.process)
    return doomed !== undefined
  }

  end(at: string, process: string | undefined): void {
    this.happened.push({ what: 'crash', at })
    this.crash(process)
  }

  #crashAt(at: CrashMoment, on: string, nth: number): Crashed | undefined {
    return this.#choices.flatMap((one) => recordOf(one).crashes?.(one, at, on, nth) ?? [])[0]
  }

  #crashes(at: CrashMoment, on: string, nth: number): boolean {
    const crash = this.#crashAt(at, on, nth)
    if (crash) this.end(`${at} ${on} ${nth}`, crash.process)
    return crash !== undefined
  }

  #hold(long: boolean): Promise<void> {
    return new Promise((resolve) => this.#held.push({ long, release: resolve }))
  }

  #releaseHeld(one: { release: () => void }): void {
    this.#held = this.#held.filter((other) => other !== one)
    this.passed++
    one.release()
  }

  #next(series: string): number {
    const count = (this.#counts.get(series) ?? 0) + 1
    this.#counts.set(series, count)
    return count
  }
}

function takenAs(result: PostResult): string {
  return 'status' in result ? String(result.status) : result.failure.code
}

function statusIn(body: string): string {
  return /"status"\s*:\s*"(\w+)"/.exec(body)?.[1] ?? ''
}

class MetPayments {
  readonly all: PaymentMet[] = []
  #world: World | undefined
  readonly byUuid = new Map<string, PaymentMet>()

  follow(world: World, told: (met: PaymentMet, status: string) => void): void {
    this.#world = world
    world.feed.listen({
      kind: 'wait',
      happened: (event) => {
        if (event.type !== 'payment') return
        if (event.from === null) this.#add(event.uuid, event.kind)
        const met = this.byUuid.get(event.uuid)
        if (met) told(met, event.to)
      },
      ended: () => {},
    })
  }

  #add(uuid: string, kind: string): void {
    const met = { kind, nth: this.all.filter((one) => one.kind === kind).length + 1 }
    this.byUuid.set(uuid, met)
    this.all.push(met)
  }

  newestIn(): Payment | undefined {
    const found = [...this.byUuid].findLast(([, { kind }]) => paymentsService.kinds.of(kind).direction === 'in')
    return found && this.#stored(found[0])
  }

  withOthers(met: PaymentMet): { payment: Payment | undefined; others: Payment[] } {
    const stored = [...this.byUuid.keys()].flatMap((uuid) => this.#stored(uuid) ?? [])
    const payment = stored.find(({ uuid }) => this.byUuid.get(uuid) === met)
    return { payment, others: stored.filter((one) => one !== payment && one.kind === met.kind).toReversed() }
  }

  namedIn(text: string): PaymentMet | undefined {
    for (const [uuid, met] of this.byUuid) if (text.includes(uuid)) return met
    return undefined
  }

  askedAbout(path: string): PaymentMet | undefined {
    for (const [uuid, met] of this.byUuid) {
      const reference = this.#stored(uuid)?.referenceId
      if (path.includes(uuid) || (reference && path.includes(encodeURIComponent(reference)))) return met
    }
    return undefined
  }

  /** The payment that a request made. Undefined where the answer is about one that was made before. */
  madeBy(response: Response): PaymentMet | undefined {
    const { journal, payments } = this.#world?.core.store ?? {}
    const entry = journal?.byRequestId(response.headers.get('mfano-request-id') ?? '')
    if (!entry || entry.notes?.replayed || entry.paymentSeq === null) return undefined
    return this.byUuid.get(payments?.bySeq(entry.paymentSeq)?.uuid ?? '')
  }

  #stored(uuid: string): Payment | undefined {
    return this.#world?.core.store.payments.byUuid(uuid)
  }
}
