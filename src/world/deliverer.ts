import { answerLost, diagnose, isReceived } from '../callbacks/diagnose.ts'
import { signWith } from '../callbacks/mishaps.ts'
import type { Answered, Failure, Place } from '../callbacks/outcome.ts'
import { tryOf } from '../callbacks/retries.ts'
import { callbackHeaders } from '../callbacks/sign.ts'
import type { Core } from '../engine/core.ts'
import type { GroupCommit } from '../engine/group-commit.ts'
import { perform } from '../engine/perform.ts'
import type { InstantUs } from '../model/time.ts'
import { type Due, LANE } from '../store/agenda.ts'
import type { Attempt, Callback } from '../store/callbacks.ts'
import type { Leases } from './leases.ts'

/** A POST to a merchant, and what came of it. Handed in: the core opens no sockets. */
export interface Post {
  /** As the merchant named it. */
  url: string
  /** Where it goes, when that is somewhere else. */
  to?: URL
  headers: Record<string, string>
  body: string
  /** Real time that the receiver has to answer. */
  timeoutMs: number
  signal: AbortSignal
}
export type PostResult = (Answered | { failure: Failure }) & {
  tookMs: number
  /** Where it went, when something stood in for the host of its address. */
  sentTo?: URL
  /** From where it was sent, as far as the sender knows. */
  place?: Place
}
export type Send = (post: Post) => Promise<PostResult>

/** Deliveries under way at once, per world. */
const CONCURRENCY = 64
const RESPONSE_KEPT = 2000
const UNKNOWN_PLACE: Place = { container: false, callbackHost: undefined }

/**
 * Takes due callbacks from the agenda, sends them with bounded concurrency, and records every attempt through the
 * engine. A row leaves the agenda only with the record of its attempt, so a crash in between delivers again.
 */
export class Deliverer {
  readonly #core: Core
  readonly #commit: GroupCommit
  readonly #send: Send
  readonly #secrets: { now: Uint8Array; old: Uint8Array }
  readonly #leases: Leases
  readonly #closing: AbortSignal
  readonly #counts = { delivered: 0, failed: 0 }
  /** Due rows up to here are under way; new ones always sort behind. */
  #taken: { dueAtUs: InstantUs; seq: number } = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }
  #underWay = 0
  /** Who waits for a callback to be tried. */
  readonly #awaited = new Map<number, (() => void)[]>()
  #pumping = false
  /** Ends the hold on the world that lasts while anything is under way. */
  #release: (() => void) | undefined
  #idle: (() => void)[] = []

  constructor(
    core: Core,
    commit: GroupCommit,
    send: Send,
    secrets: { now: Uint8Array; old: Uint8Array },
    leases: Leases,
    closing: AbortSignal,
  ) {
    this.#core = core
    this.#commit = commit
    this.#send = send
    this.#secrets = secrets
    this.#leases = leases
    this.#closing = closing
  }

  /** Sends what is due by the world's clock, as far as there is room. */
  pump(): void {
    if (this.#closing.aborted) return
    const room = CONCURRENCY - this.#underWay
    const due = room > 0 ? this.#core.store.agenda.due(LANE.deliveries, this.#core.clock.now(), room, this.#taken) : []
    if (due.length > 0) this.#release ??= this.#leases.take()
    for (const row of due) {
      this.#taken = row
      this.#underWay++
      this.#deliver(row)
        .catch((error) => this.#core.observer.error(error, `delivering callback ${row.subject}`))
        .finally(() => {
          this.#tried(row.subject)
          this.#underWay--
          this.#pumpSoon()
        })
    }
    if (this.#underWay > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
    this.#release?.()
    this.#release = undefined
  }

  /** Attempts that were recorded in one commit end together, so their places are filled together. */
  #pumpSoon(): void {
    if (this.#pumping) return
    this.#pumping = true
    queueMicrotask(() => {
      this.#pumping = false
      this.pump()
    })
  }

  /** Resolves when nothing is under way and nothing more is due by the world's clock. */
  settled(): Promise<void> {
    if (this.#closing.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle.push(resolve)
      this.pump()
    })
  }

  /** Those who wait for the end of all deliveries wait no longer. */
  letGo(): void {
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** When the next row that is not under way falls due. */
  nextDueUs(): InstantUs | undefined {
    return this.#core.store.agenda.due(LANE.deliveries, Number.MAX_SAFE_INTEGER, 1, this.#taken)[0]?.dueAtUs
  }

  /** Whether an attempt is under way. */
  get busy(): boolean {
    return this.#underWay > 0
  }

  /** How many attempts were accepted and not accepted so far. */
  counts(): { delivered: number; failed: number } {
    return { ...this.#counts }
  }

  /** After the signal has ended all deliveries: tells those who wait for them. What was under way stays on the agenda. */
  close(): void {
    for (const resolve of this.#idle.splice(0)) resolve()
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

  async #deliver(due: Due): Promise<void> {
    const callback = this.#core.store.callbacks.byId(due.subject)
    if (!callback) return
    const sentAtUs = this.#core.clock.now()
    const { headers, body } = await this.#signed(callback, sentAtUs)
    if (this.#closing.aborted) return
    const { timeoutMs, loseAnswers } = this.#core.scenario.callbacks
    const result = await this.#send({
      url: callback.url,
      headers,
      body,
      timeoutMs,
      signal: this.#closing,
    })
    if (this.#closing.aborted) return
    const number = callback.attempts + 1
    const answer = 'status' in result ? result : undefined
    const lost = tryOf(number, callback.mishap) <= loseAnswers && answer !== undefined
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
      sentAtUs,
      tookMs: Math.round(result.tookMs),
      url: result.sentTo?.href ?? callback.url,
      headers,
      status: answer && !lost ? answer.status : null,
      responseBody: answer && !lost ? answer.body.slice(0, RESPONSE_KEPT) : null,
      error: accepted ? null : (diagnosis?.what ?? 'not received'),
      diagnosis,
    }
    await this.#commit.submit(() => perform(this.#core, { command: 'record-attempt', due, attempt, accepted }))
    if (accepted) this.#counts.delivered++
    else this.#counts.failed++
  }

  async #signed(callback: Callback, sentAtUs: InstantUs): Promise<{ headers: Record<string, string>; body: string }> {
    if (this.#core.scenario.assumptions['callback-signature'] === 'none')
      return { headers: callbackHeaders, body: callback.body }
    const { headers, body } = await signWith(this.#secrets, callback.uid, sentAtUs, callback.body, callback.mishap)
    return { headers: { ...callbackHeaders, ...headers }, body }
  }
}
