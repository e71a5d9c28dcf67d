/** Callbacks as steps of a sequence: their attempts, those that are certain and those that depend on the receiver. */
import type { Core } from '../../../core/core.ts'
import type { Callback } from '../../../core/model/callback.ts'
import { describeCallbackFault } from '../../../core/model/callback-fault.ts'
import type { CallbackDomainEvent, DomainEvent } from '../../../core/model/domain-event.ts'
import { tryOf } from '../../../core/model/retries.ts'
import type { InstantUs } from '../../../core/model/time.ts'

/** One arrow of the sequence, or a note over one party. */
export interface PreviewStep {
  atUs: InstantUs
  from: SequenceParty
  /** `from` itself for something that a party does by itself. */
  to: SequenceParty
  what: string
  /** It only happens if this is so. */
  only?: string
}

type CallbackEvent = DomainEvent & CallbackDomainEvent

/** Attempts that depend on the receiver and are shown one by one, of each callback. */
const SHOWN_RETRIES = 5

/** Words the callbacks of some payments, event by event, in a future whose receiver takes what it gets. */
export class CallbackSteps {
  /** So many attempts of each callback there are whatever the receiver says. */
  readonly certain = new Map<number, number>()
  readonly #core: Core
  readonly #says: ReadonlyMap<number, string>
  readonly #received = new Set<number>()
  readonly #seqs: readonly number[]

  /** `seqs`: the payments that they are about. */
  constructor(core: Core, events: readonly DomainEvent[], seqs: readonly number[]) {
    this.#core = core
    this.#says = statusOfCallbacks(core, events)
    this.#seqs = seqs
  }

  /** The step that an event is, if it is one. */
  step(event: CallbackEvent): PreviewStep | undefined {
    const callback = this.#core.store.callbacks.byId(event.id)
    if (!callback || !this.#seqs.includes(callback.paymentSeq ?? 0)) return undefined
    const says = `callback ${this.#says.get(event.id)}`
    if (event.attempt !== null)
      return { atUs: event.atUs, from: 'mfano', to: 'merchant', what: `${says}${this.#attempt(event, callback)}` }
    if (event.state !== 'dropped') return undefined
    return { atUs: event.atUs, from: 'mfano', to: 'mfano', what: `${says} is written, and never sent` }
  }

  #attempt(event: CallbackEvent, { fault }: Callback): string {
    const { id, attempts, attempt } = event
    const copies = fault?.together ? (fault.duplicate ?? 1) : 1
    const received = this.#received.has(id)
    if (!received) this.certain.set(id, Math.max(attempts, copies))
    if (attempt?.error === null) this.#received.add(id)
    const lost = attempt?.error === null ? '' : '; its answer is lost on the way back'
    if (attempts === 1) return `${fault ? ` (${describeCallbackFault(fault)})` : ''}${lost}`
    if (attempts <= copies) return ` at the same time, ${attempts} of ${copies}`
    if (received) return ` again although it was received, ${attempts} of ${fault?.duplicate}`
    return `${again(this.#core, event)}${lost}`
  }
}

/** The attempts of each callback beyond those that are certain, in a future whose receiver takes nothing. */
export function attemptsLeft(
  core: Core,
  events: readonly DomainEvent[],
  certain: ReadonlyMap<number, number>,
): PreviewStep[] {
  const accepted = core.scenario.assumptions['callback-success'] === '200' ? '200' : '2xx'
  const only = `no attempt before was answered with ${accepted}`
  const says = statusOfCallbacks(core, events)
  return [...certain].flatMap(([id, known]) => {
    const left = attemptsOf(events, id).filter(({ attempts }) => attempts > known)
    return left.slice(0, SHOWN_RETRIES).map((event, i): PreviewStep => {
      const more = i === SHOWN_RETRIES - 1 ? left.length - SHOWN_RETRIES : 0
      const what = `callback ${says.get(id)}${again(core, event)}${more > 0 ? `, and ${more} more` : ''}`
      return { atUs: event.atUs, from: 'mfano', to: 'merchant', what, only }
    })
  })
}

function attemptsOf(events: readonly DomainEvent[], id: number): CallbackEvent[] {
  return events.filter((one): one is CallbackEvent => one.type === 'callback' && one.id === id && one.attempt !== null)
}

/** ` again, attempt 2 of 5`. */
function again(core: Core, { id, attempts }: CallbackEvent): string {
  const fault = core.store.callbacks.byId(id)?.fault ?? null
  const most = fault?.retry?.attempts ?? core.scenario.callbacks.attempts
  return ` again, attempt ${tryOf(attempts, fault)} of ${most}`
}

/** What each callback says of its payment: the state in which it was written, or the word in its place. */
function statusOfCallbacks(core: Core, events: readonly DomainEvent[]): Map<number, string> {
  const found = new Map<number, string>()
  const now = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'payment') now.set(event.seq, event.to)
    if (event.type !== 'callback' || found.has(event.id)) continue
    const { fault, paymentSeq } = core.store.callbacks.byId(event.id) ?? {}
    found.set(event.id, fault?.status ?? now.get(paymentSeq ?? 0) ?? '')
  }
  return found
}

export type SequenceParty = 'merchant' | 'mfano' | 'rail'
