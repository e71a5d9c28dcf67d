/** Sends callbacks when they are due, and records the attempts. */
import type { Core } from '../core.ts'
import { answerLost, diagnose, isReceived } from '../diagnose.ts'
import { BY_HAND } from '../engine/callbacks.ts'
import type { PostResult, Send } from '../host.ts'
import { type Attempt, type Callback, type Network, receivedHeaders, tryOf } from '../model/callback.ts'
import { sentWith } from '../model/callback-fault.ts'
import { type DueDelivery, LANE, type Position } from '../model/due.ts'
import { answerText } from '../model/inbox.ts'
import { maskBody, maskPath } from '../model/mask.ts'
import { httpDate, type InstantUs } from '../model/time.ts'
import { perform } from '../perform.ts'
import type { Presentation } from '../presentation.ts'
import { callbackHeaders, judgeSignature, signatureTimeUs, signer } from '../sign.ts'
import { type Agenda, BEGINNING, isBehind } from '../store/agenda-table.ts'
import type { WorldParts } from './leases.ts'

const RESPONSE_KEPT = 2000
/** Characters. Our own inbox accepts any body up to this length. */
const HANDED_OVER_MAX = 100_000
const NOTHING = { rows: [], more: false }
const UNKNOWN_PLACE: Network = { container: false, callbackHost: undefined }

interface DelivererOptions extends WorldParts {
  send: Send
  inboxAt(url: string): string | undefined
  secrets: { now: Uint8Array; old: Uint8Array }
  presentation: Presentation
}

interface Sent {
  sentAtUs: InstantUs
  headers: Record<string, string>
  body: string
}

interface Ended {
  attempt: Attempt
  accepted: boolean
}

/**
 * Sends due callbacks with bounded concurrency. A row leaves the agenda in the commit that records its attempt, so a
 * crash sends it again. What cannot be recorded keeps its place, so that a full disk causes no repetition.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #core: Core
  readonly #closing: AbortSignal
  readonly #queue: DeliveryQueue
  readonly #awaited = new Map<number, (() => void)[]>()
  #pumping = false
  #release: (() => void) | undefined
  #idle: { resolve: () => void; reject: (error: unknown) => void }[] = []

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#core = options.core
    this.#closing = options.closing
    this.#queue = new DeliveryQueue(options.core.store.agenda, () => options.core.scenario.callbacks.concurrency)
  }

  pump(): void {
    if (this.#closing.aborted) return
    const { callbacks, meta } = this.#core.store
    const { rows, more } = meta.callbacksPaused ? NOTHING : this.#queue.take(this.#core.clock.now())
    if (rows.length > 0) {
      this.#release ??= this.#options.leases.take()
      callbacks.readAhead(rows.map(({ subject }) => subject))
    }
    for (const row of rows) {
      void this.#tryUntilRecorded(row).finally(() => {
        this.#tried(row.subject)
        this.#queue.done(row)
        this.#pumpSoon(queueMicrotask)
      })
    }
    if (more) this.#pumpSoon(this.#options.host.defer)
    if (this.busy || more) return
    if (this.#idle.length > 0) this.releaseWaiters()
    this.#release?.()
    this.#release = undefined
  }

  /** Once for all attempts of a commit, because their places become free together. */
  #pumpSoon(defer: (work: () => void) => void): void {
    if (this.#pumping) return
    this.#pumping = true
    defer(() => {
      this.#pumping = false
      // It may be that the agenda cannot be read.
      void this.#options.health.untilItWorks('callbacks', this.#closing, async () => this.pump())
    })
  }

  whenIdle(): Promise<void> {
    if (this.#closing.aborted) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#idle.push({ resolve, reject })
      this.#options.health.retryNow()
      this.pump()
    })
  }

  releaseWaiters(): void {
    for (const { resolve } of this.#idle.splice(0)) resolve()
  }

  /** Without deliveries that are under way. */
  nextDueUs(): InstantUs {
    return this.#core.store.meta.callbacksPaused ? Number.POSITIVE_INFINITY : this.#queue.nextDueUs()
  }

  get busy(): boolean {
    return this.#queue.underWay > 0
  }

  close(): void {
    this.releaseWaiters()
    for (const id of [...this.#awaited.keys()]) this.#tried(id)
  }

  attempted(id: number): Promise<void> {
    const { callbacks, meta } = this.#core.store
    const callback = callbacks.byId(id)
    if (this.#closing.aborted || meta.callbacksPaused) return Promise.resolve()
    if (callback?.state !== 'pending' || callback.attempts > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#awaited.set(id, [...(this.#awaited.get(id) ?? []), resolve])
      // While a participant of the clock works, nobody else sends, and it may be what waits.
      this.#pumpSoon(queueMicrotask)
    })
  }

  #tried(id: number): void {
    for (const resolve of this.#awaited.get(id) ?? []) resolve()
    this.#awaited.delete(id)
  }

  #tryUntilRecorded(due: DueDelivery): Promise<void> {
    let ended: Ended | undefined
    const attempt = async () => {
      const isOwn = this.#options.inboxAt(due.url) !== undefined
      if (!ended && isOwn && (await this.#core.commit.submit(() => this.#handOver(due)))) return
      ended ??= await this.#try(due)
      if (!this.#closing.aborted) await this.#record(due, ended)
    }
    return this.#options.health.untilItWorks('callbacks', this.#closing, attempt, (error) => {
      for (const { reject } of this.#idle.splice(0)) reject(error)
      this.#tried(due.subject)
    })
  }

  /** Delivers what `work` writes in the same commit, unless older callbacks wait: those go first. */
  handingOver<T>(work: () => T): T {
    const { clock, commit, store } = this.#core
    const inTurn = this.busy || this.nextDueUs() <= clock.now()
    const value = work()
    if (inTurn || store.meta.callbacksPaused) return value
    const written = store.agenda.deliveries(clock.now(), Number.MAX_SAFE_INTEGER, BEGINNING)
    const due = written.filter(({ url }) => this.#options.inboxAt(url) !== undefined)
    store.callbacks.readAhead(due.map(({ subject }) => subject))
    // A failure is retried like all that is due.
    commit.attemptAll(due, (one) => this.#handOver(one))
    return value
  }

  /** In one commit, with the result that a socket would give. False where it must be sent. */
  #handOver(due: DueDelivery): boolean {
    const { core, host, inboxAt, secrets } = this.#options
    const { callbacks, inbox } = core.store
    const callback = callbacks.byId(due.subject)
    const name = callback && inboxAt(callback.url)
    if (!callback || name === undefined) return false
    // An inbox with settings answers over the network, so that lateness and broken connections are real.
    if (inbox.behaviour(name, '')) return false
    const sent = this.#sendable(callback)
    const { body } = sent
    // No more than a receiver accepts without looking at the bytes.
    if (body.length > HANDED_OVER_MAX) return false
    const headers = receivedHeaders(Object.entries(sent.headers))
    const signature = judgeSignature(secrets, headers, body, signatureTimeUs(core, host))
    const { message } = perform(core, { command: 'receive-in-inbox', name, headers, body, signature })
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: answerText(message.id) }
    const ended = this.#endOf(due, callback, sent, { ...answer, tookMs: 0 })
    perform(core, { command: 'record-attempt', due, ...ended })
    return true
  }

  async #try(due: DueDelivery): Promise<Ended | undefined> {
    const callback = this.#core.store.callbacks.byId(due.subject)
    if (!callback) return undefined
    const sent = this.#sendable(callback)
    if (this.#closing.aborted) return undefined
    const { headers, body } = sent
    const { timeoutMs } = this.#core.scenario.callbacks
    const id = `${callback.uid}.${due.seq}`
    const result = await this.#options.send({ id, url: callback.url, headers, body, timeoutMs, signal: this.#closing })
    return this.#endOf(due, callback, sent, result)
  }

  #endOf(due: DueDelivery, callback: Callback, { sentAtUs, headers }: Sent, result: PostResult): Ended {
    const { timeoutMs, loseAnswers } = this.#core.scenario.callbacks
    const number = callback.attempts + 1
    const answer = 'status' in result ? result : undefined
    const byHand = due.event === BY_HAND
    const nth = () => this.#core.store.callbacks.automaticAttempts(callback) + 1
    const lost = !byHand && answer !== undefined && loseAnswers > 0 && tryOf(nth(), callback.fault) <= loseAnswers
    const tried = {
      url: callback.url,
      sentTo: result.sentTo,
      outcome: 'status' in result ? result : result.failure,
      timeoutMs,
      success: this.#core.scenario.assumptions['callback-success'],
      place: result.place ?? UNKNOWN_PLACE,
      forwarder: result.forwarder,
    }
    const accepted = isReceived(tried) && !lost
    const diagnosis = lost ? answerLost(answer.status) : diagnose(tried)
    const attempt: Attempt = {
      callbackId: callback.id,
      number,
      byHand,
      sentAtUs,
      tookMs: Math.round(result.tookMs),
      url: maskPath(result.sentTo?.href ?? callback.url),
      forwarder: result.forwarder ?? null,
      headers,
      status: answer && !lost ? answer.status : null,
      responseBody: answer && !lost ? maskBody(answer.body).slice(0, RESPONSE_KEPT) : null,
      error: accepted ? null : (diagnosis?.what ?? 'not received'),
      diagnosis,
    }
    return { attempt, accepted }
  }

  async #record(due: DueDelivery, ended: Ended | undefined): Promise<void> {
    const core = this.#core
    if (!ended) {
      // The row of a damaged or hand-made database. It has no receiver, and would be due for ever.
      core.observer.error(new Error(`The agenda names callback ${due.subject}, which is not stored`), 'delivering')
      return core.commit.submit(() => core.store.agenda.remove(LANE.deliveries, due))
    }
    // A recording keeps the command, so the address is the masked one.
    const masked = { ...due, url: ended.attempt.url }
    await core.commit.submit(() => perform(core, { command: 'record-attempt', due: masked, ...ended }))
  }

  #sendable(callback: Callback): Sent {
    const { presentation } = this.#options
    const { assumptions } = this.#core.scenario
    const sentAtUs = this.#core.clock.now()
    const plain = { ...callbackHeaders(callback.trace), date: httpDate(sentAtUs) }
    const isSigned = assumptions['callback-signature'] !== 'none'
    const presented = presentation.callback(callback.topic, callback.body, isSigned)
    const fault = presentation.signsWrongly(callback.topic) ? { signature: 'old-secret' as const } : callback.fault
    const atUs = signatureTimeUs(this.#core, this.#options.host)
    const sign = isSigned ? signer(this.#options.secrets, callback.uid, atUs, presented) : undefined
    const { headers, body } = sentWith(presented, sign, fault)
    return { sentAtUs, headers: { ...plain, ...headers }, body }
  }
}

// Chooses the next callbacks so that a receiver that hangs delays only itself.

const PLACES = 128
/** Rows per pass, so that other work runs in between. */
const LOOKED_AT = 1_000
/** Reads more rows than it needs, because rows of other origins may lie between. */
const READ_AT_LEAST = 16

/**
 * A dynamic threshold: an origin gets a place while it has fewer than are free. So one origin can use half, and a late
 * one still finds a place.
 */
class DeliveryQueue {
  readonly #agenda: Agenda
  /** Rows up to here are handled or wait; new rows always sort behind. */
  #read = BEGINNING
  readonly #waiting = new Map<string, Position>()
  readonly #placesTaken = new Map<string, number>()
  readonly #mostAtOnce: () => number
  underWay = 0

  constructor(agenda: Agenda, mostAtOnce: () => number) {
    this.#agenda = agenda
    this.#mostAtOnce = mostAtOnce
  }

  /** `more`: call again, because not all rows were looked at. */
  take(nowUs: InstantUs): { rows: DueDelivery[]; more: boolean } {
    const rows: DueDelivery[] = []
    let more = false
    for (const [origin, behind] of [...this.#waiting])
      if (this.#hasPlace(origin)) more = !this.#resume(origin, behind, rows) || more
    return { rows, more: !this.#readOn(nowUs, rows) || more }
  }

  done({ url }: DueDelivery): void {
    const origin = originOf(url)
    const taken = (this.#placesTaken.get(origin) ?? 0) - 1
    if (taken > 0) this.#placesTaken.set(origin, taken)
    else this.#placesTaken.delete(origin)
    this.underWay--
  }

  nextDueUs(): InstantUs {
    return this.#agenda.deliveries(Number.MAX_SAFE_INTEGER, 1, this.#read)[0]?.dueAtUs ?? Number.POSITIVE_INFINITY
  }

  #resume(origin: string, behind: Position, taken: DueDelivery[]): boolean {
    let from = behind
    for (let looked = 0; this.#hasPlace(origin); ) {
      if (looked >= LOOKED_AT) return false
      const few = Math.max(READ_AT_LEAST, this.#placesOf(origin))
      const rows = this.#agenda.deliveries(this.#read.dueAtUs, few, from)
      for (const row of rows) {
        if (isBehind(row, this.#read)) break
        if (originOf(row.url) === origin) {
          if (!this.#hasPlace(origin)) return true
          this.#give(row, origin, taken)
        }
        this.#waiting.set(origin, row)
        from = row
      }
      const last = rows.at(-1)
      if (rows.length < few || !last || isBehind(last, this.#read)) {
        this.#waiting.delete(origin)
        return true
      }
      looked += rows.length
    }
    return true
  }

  #readOn(nowUs: InstantUs, taken: DueDelivery[]): boolean {
    for (let looked = 0; this.underWay < PLACES; ) {
      if (looked >= LOOKED_AT) return false
      const most = PLACES - this.underWay
      const rows = this.#agenda.deliveries(nowUs, most, this.#read)
      looked += most
      for (const row of rows) {
        if (this.underWay === PLACES) return true
        const origin = originOf(row.url)
        if (!this.#waiting.has(origin)) {
          if (this.#hasPlace(origin)) this.#give(row, origin, taken)
          else this.#waiting.set(origin, this.#read)
        }
        this.#read = row
      }
      if (rows.length < most) return true
    }
    return true
  }

  #hasPlace(origin: string): boolean {
    return this.#placesOf(origin) > 0
  }

  #placesOf(origin: string): number {
    return Math.min(PLACES - this.underWay, this.#mostAtOnce()) - (this.#placesTaken.get(origin) ?? 0)
  }

  #give(row: DueDelivery, origin: string, taken: DueDelivery[]): void {
    this.#placesTaken.set(origin, (this.#placesTaken.get(origin) ?? 0) + 1)
    this.underWay++
    taken.push(row)
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
