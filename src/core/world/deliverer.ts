/** Sends callbacks when they are due, and has the attempts recorded. */
import type { Core } from '../core.ts'
import { answerLost, diagnose, isReceived } from '../diagnose.ts'
import type { GroupCommit } from '../engine/group-commit.ts'
import { BY_HAND } from '../engine/outbox.ts'
import type { Host, PostResult, Send } from '../host.ts'
import type { Place } from '../model/attempt.ts'
import type { Attempt, Callback } from '../model/callback.ts'
import { sentWith } from '../model/callback-fault.ts'
import { LANE } from '../model/due.ts'
import { answerText } from '../model/inbox-behaviour.ts'
import { receivedHeaders } from '../model/received-headers.ts'
import { tryOf } from '../model/retries.ts'
import type { InstantUs } from '../model/time.ts'
import { perform } from '../perform.ts'
import { callbackHeaders, judgeSignature, signatureTimeUs, signer } from '../sign.ts'
import type { DueDelivery } from '../store/due-columns.ts'
import { Backoff } from './backoff.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import type { Health } from './health.ts'
import type { Leases } from './leases.ts'
import type { Presentation } from './presentation.ts'

const RESPONSE_KEPT = 2000
/** Characters of a body that our own inbox is sure to take. */
const HANDED_OVER_MAX = 100_000
const UNKNOWN_PLACE: Place = { container: false, callbackHost: undefined }

/** What a world hands to its deliverer. */
export interface DelivererOptions {
  core: Core
  commit: GroupCommit
  send: Send
  /** The name of the world's own inbox that an address leads to, where no network is between. */
  inboxAt(url: string): string | undefined
  secrets: { now: Uint8Array; old: Uint8Array }
  leases: Leases
  health: Health
  presentation: Presentation
  host: Pick<Host, 'alarm' | 'wallUs' | 'defer'>
  /** Aborted when the world closes. */
  closing: AbortSignal
}

/** What is sent at a try, and when. */
interface Sent {
  sentAtUs: InstantUs
  headers: Record<string, string>
  body: string
}

/** A try that has ended, to be recorded. */
interface Ended {
  attempt: Attempt
  accepted: boolean
}

/**
 * Takes due callbacks from the agenda, sends them with bounded concurrency, and records every attempt through the
 * engine. A row leaves the agenda only with the record of its attempt, so a crash in between delivers again. What cannot
 * be recorded keeps its place until it can, so that nobody is told twice because a disk was full.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #core: Core
  readonly #closing: AbortSignal
  readonly #queue: DeliveryQueue
  readonly #backoff: Backoff
  readonly #counts = { delivered: 0, failed: 0 }
  /** Who waits for a callback to be tried. */
  readonly #awaited = new Map<number, (() => void)[]>()
  #pumping = false
  /** So many deliveries failed for reasons of our own, and wait to be tried again. */
  #failing = 0
  /** What is due could not be looked for. */
  #stalled = false
  /** Ends the hold on the world that lasts while anything is under way. */
  #release: (() => void) | undefined
  #idle: { resolve: () => void; reject: (error: unknown) => void }[] = []

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#core = options.core
    this.#closing = options.closing
    this.#queue = new DeliveryQueue(options.core.store.agenda, () => options.core.scenario.callbacks.concurrency)
    this.#backoff = new Backoff(options.host)
  }

  /** Sends what is due by the world's clock, as far as there is room. */
  pump(): void {
    if (this.#closing.aborted) return
    const { rows, more } = this.#queue.take(this.#core.clock.now())
    if (rows.length > 0) this.#release ??= this.#options.leases.take()
    for (const row of rows) {
      void this.#see(row).finally(() => {
        this.#tried(row.subject)
        this.#queue.done(row)
        this.#pumpSoon(queueMicrotask)
      })
    }
    if (more) this.#pumpSoon(this.#options.host.defer)
    if (this.busy || more) return
    this.letGo()
    this.#release?.()
    this.#release = undefined
  }

  /** Attempts that were recorded in one commit end together, so their places are filled together. */
  #pumpSoon(defer: (work: () => void) => void): void {
    if (this.#pumping) return
    this.#pumping = true
    defer(() => {
      this.#pumping = false
      try {
        this.pump()
        if (this.#stalled && this.#failing === 0) this.#works()
        this.#stalled = false
      } catch (error) {
        // The agenda could not be read.
        this.#stalled = true
        this.#options.health.failed('callbacks', error)
        void this.#backoff.wait().then(() => this.#pumpSoon(defer))
      }
    })
  }

  /**
   * Resolves when nothing is under way and nothing more is due by the world's clock. Rejects when something that is under
   * way cannot be recorded; that is tried again at once when somebody asks.
   */
  whenIdle(): Promise<void> {
    if (this.#closing.aborted) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#idle.push({ resolve, reject })
      this.#backoff.hurry()
      this.pump()
    })
  }

  /** Those who wait for the end of all deliveries wait no longer. */
  letGo(): void {
    for (const { resolve } of this.#idle.splice(0)) resolve()
  }

  /** What failed before is tried again now: its cause may be gone. */
  hurry(): void {
    this.#backoff.hurry()
  }

  /** When the next row that is not under way falls due. */
  nextDueUs(): InstantUs | undefined {
    return this.#queue.nextDueUs()
  }

  /** Whether an attempt is under way. */
  get busy(): boolean {
    return this.#queue.underWay > 0
  }

  /** How many attempts were accepted and not accepted so far. */
  counts(): { delivered: number; failed: number } {
    return { ...this.#counts }
  }

  /** After the signal has ended all deliveries: tells those who wait for them. What was under way stays on the agenda. */
  close(): void {
    this.letGo()
    this.#backoff.hurry()
    for (const id of [...this.#awaited.keys()]) this.#tried(id)
  }

  /** Resolves when a callback that is due has been tried; at once when it has been, or is not going to be. */
  attempted(id: number): Promise<void> {
    const callback = this.#core.store.callbacks.byId(id)
    if (this.#closing.aborted || callback?.state !== 'pending' || callback.attempts > 0) return Promise.resolve()
    return new Promise((resolve) => this.#awaited.set(id, [...(this.#awaited.get(id) ?? []), resolve]))
  }

  #tried(id: number): void {
    for (const resolve of this.#awaited.get(id) ?? []) resolve()
    this.#awaited.delete(id)
  }

  /** Sees a delivery through: it is sent once, and recorded as soon as that is possible. */
  async #see(due: DueDelivery): Promise<void> {
    let ended: Ended | undefined
    let failed = false
    while (!this.#closing.aborted) {
      try {
        if (ended || !(await this.#toOwnInbox(due))) {
          ended ??= await this.#try(due)
          if (this.#closing.aborted) return
          await this.#record(due, ended)
        }
        if (failed && --this.#failing === 0) this.#works()
        return
      } catch (error) {
        if (this.#closing.aborted) return
        if (!failed) this.#failing++
        failed = true
        await this.#failed(due, error)
      }
    }
  }

  #works(): void {
    this.#options.health.works('callbacks')
    this.#backoff.reset()
  }

  /** Tells everybody who waits for this delivery that it failed, and resolves when it may be tried again. */
  #failed({ subject }: DueDelivery, error: unknown): Promise<void> {
    this.#options.health.failed('callbacks', error)
    for (const { reject } of this.#idle.splice(0)) reject(error)
    this.#tried(subject)
    return this.#backoff.wait()
  }

  /**
   * Has the world's own inbox take a callback, and records that, in one commit: it comes there as it would by a socket.
   * Whether that was so; where not, it has to be sent.
   */
  async #toOwnInbox(due: DueDelivery): Promise<boolean> {
    const { commit, inboxAt } = this.#options
    if (inboxAt(due.url) === undefined) return false
    const ended = await commit.submit(() => this.#handOver(due))
    if (ended) this.#count(ended)
    return ended !== undefined
  }

  /**
   * Does work in a commit, and has the world's own inbox take what that wrote, in this very commit. Unless something waits
   * for its turn: then that comes first.
   */
  handingOver<T>(work: () => T): T {
    const { clock, store } = this.#core
    return store.callbacks.writingLater(() => {
      const inTurn = this.busy || (this.nextDueUs() ?? Number.POSITIVE_INFINITY) <= clock.now()
      const value = work()
      if (!inTurn) this.#handOverAll(store.callbacks.newlyDue(clock.now()))
      return value
    })
  }

  #handOverAll(callbacks: readonly Callback[]): void {
    const { commit, core, inboxAt } = this.#options
    const all: Ended[] = []
    for (const { due, url } of callbacks) {
      if (!due || inboxAt(url) === undefined) continue
      // What fails is tried again as whatever is due.
      const outcome = commit.attempt(() => this.#handOver({ ...due, url }))
      if (outcome.ok && outcome.value) all.push(outcome.value)
    }
    if (all.length === 0) return
    core.afterCommit(() => {
      for (const ended of all) this.#count(ended)
    })
  }

  #handOver(due: DueDelivery): Ended | undefined {
    const { core, host, inboxAt, secrets } = this.#options
    const { callbacks, inbox } = core.store
    const callback = callbacks.byId(due.subject)
    const name = callback && inboxAt(callback.url)
    if (!callback || name === undefined) return undefined
    // What one answers that was told how, real lateness and broken connections among it, is the network's affair.
    if (inbox.behaviour(name, '')) return undefined
    const sent = this.#sendable(callback)
    const { body } = sent
    // No more than a receiver reads without a look at its bytes.
    if (body.length > HANDED_OVER_MAX) return undefined
    const headers = receivedHeaders(Object.entries(sent.headers))
    const signature = judgeSignature(secrets, headers, body, signatureTimeUs(core, host))
    const { message, settings } = perform(core, { command: 'receive-in-inbox', name, headers, body, signature })
    const { type, text } = answerText(settings, message.id)
    const answer = { status: 200, headers: { 'content-type': type }, body: text }
    const ended = this.#endOf(due, callback, sent, { ...answer, tookMs: 0 })
    perform(core, { command: 'record-attempt', due, ...ended })
    return ended
  }

  /** Sends a callback; undefined when there is none. */
  async #try(due: DueDelivery): Promise<Ended | undefined> {
    const callback = this.#core.store.callbacks.byId(due.subject)
    if (!callback) return undefined
    const sent = this.#sendable(callback)
    if (this.#closing.aborted) return undefined
    const { headers, body } = sent
    const { timeoutMs } = this.#core.scenario.callbacks
    const result = await this.#options.send({ url: callback.url, headers, body, timeoutMs, signal: this.#closing })
    return this.#endOf(due, callback, sent, result)
  }

  /** What came of a try. */
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
    }
    const accepted = isReceived(tried) && !lost
    const diagnosis = lost ? answerLost(answer.status) : diagnose(tried)
    const attempt: Attempt = {
      callbackId: callback.id,
      number,
      byHand,
      sentAtUs,
      tookMs: Math.round(result.tookMs),
      url: result.sentTo?.href ?? callback.url,
      headers,
      status: answer && !lost ? answer.status : null,
      responseBody: answer && !lost ? answer.body.slice(0, RESPONSE_KEPT) : null,
      error: accepted ? null : (diagnosis?.what ?? 'not received'),
      diagnosis,
    }
    return { attempt, accepted }
  }

  async #record(due: DueDelivery, ended: Ended | undefined): Promise<void> {
    const { commit, core } = this.#options
    if (!ended) {
      // A row of a damaged or hand-made database: nobody can be told, and it would be due for ever.
      core.observer.error(new Error(`The agenda names callback ${due.subject}, which is not stored`), 'delivering')
      return commit.submit(() => core.store.agenda.remove(LANE.deliveries, due))
    }
    await commit.submit(() => perform(core, { command: 'record-attempt', due, ...ended }))
    this.#count(ended)
  }

  #count({ accepted }: Ended): void {
    if (accepted) this.#counts.delivered++
    else this.#counts.failed++
  }

  #sendable(callback: Callback): Sent {
    const sentAtUs = this.#core.clock.now()
    return { sentAtUs, ...this.#signed(callback) }
  }

  #signed(callback: Callback): { headers: Record<string, string>; body: string } {
    const { presentation } = this.#options
    const { assumptions } = this.#core.scenario
    const plain = callbackHeaders(assumptions, callback.trace)
    const isSigned = assumptions['callback-signature'] !== 'none'
    const told = presentation.callback(callback.topic, callback.body, isSigned)
    const fault = presentation.signsWrongly(callback.topic) ? { signature: 'old-secret' as const } : callback.fault
    const atUs = signatureTimeUs(this.#core, this.#options.host)
    const sign = isSigned ? signer(this.#options.secrets, callback.uid, atUs, told) : undefined
    const { headers, body } = sentWith(told, sign, fault)
    return { headers: { ...plain, ...headers }, body }
  }
}
