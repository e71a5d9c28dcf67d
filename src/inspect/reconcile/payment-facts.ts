/** Facts of a payment and of what its merchant knows, from history, journal and callbacks. */
import { kindOf } from '../../core/core.ts'
import { isFailed, isOpen, isPaid } from '../../core/lifecycle.ts'
import { DAY_US } from '../../core/model/calendar.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { type Kind, partyOf } from '../../core/model/kind.ts'
import { isRecord } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'

export interface RefusedRequest {
  reference: string
  requestId: string
  atUs: InstantUs
  status: number
}

export interface CallbackCounts {
  written: number
  untried: number
  takenAtUs: InstantUs | null
}

export function factsOf(
  { core }: World,
  payment: Payment,
  journal: JournalFacts,
  told: CallbackCounts | undefined,
  unlisted: ReadonlySet<string>,
) {
  const { seq, uuid, kind, organisationId, amountMinor, currency, history, status, createdAtUs } = payment
  const origin = originOf(payment)
  const twin = origin === 'scenario' ? core.store.payments.bySeq(seq - 1) : undefined
  const listedAtUs = journal.listedAtUs !== null && journal.listedAtUs >= createdAtUs ? journal.listedAtUs : null
  const shown = [...(journal.shownAtUs.get(uuid) ?? []), listedAtUs, told?.takenAtUs].filter(
    (atUs) => typeof atUs === 'number',
  )
  /** When the merchant first had its id: by an answer, a callback or a look-up. Null: never. */
  const learntAtUs = firstOf(shown)
  const lookedInVain = journal.lookedInVainAtUs !== null && journal.lookedInVainAtUs >= createdAtUs
  const sinceUs = history.findLast((moment) => moment.status === status)?.atUs ?? payment.updatedAtUs
  const end = history.find((moment) => !isOpen(moment.status))
  return {
    ...{ seq, uuid, kind, organisationId, amountMinor, currency, status, createdAtUs, learntAtUs, sinceUs, origin },
    direction: directionOf(kindOf(core, payment)),
    reference: payment.referenceId === null ? null : normalText(payment.referenceId),
    party: partyOf(kindOf(core, payment), payment.request),
    order: orderOf(payment),
    feeMinor: outcomeOf(status) === 'paid' ? (payment.plan.feeMinor ?? 0) : 0,
    outcome: outcomeOf(status),
    outcomes: history.map((moment) => outcomeOf(moment.status)),
    endedAtUs: end?.atUs ?? null,
    twinOf: twin?.uuid ?? null,
    answered: origin !== 'request' || journal.answered.has(seq),
    endLearntAtUs: end ? firstOf(shown.filter((atUs) => atUs >= end.atUs)) : null,
    /** For a day the merchant could have known of it: by a list that it can read, or a callback that it took. */
    longKnowable: core.clock.now() - sinceUs >= DAY_US && (!unlisted.has(kind) || typeof told?.takenAtUs === 'number'),
    /** The merchant could not know: no answer, no callback, no look-up that would have shown it. */
    hidden: learntAtUs === null && (unlisted.has(kind) || lookedInVain),
    callbacks: { written: told?.written ?? 0, untried: told?.untried ?? 0 },
    subscribed: core.store.organisations.byId(organisationId).collectionCallbackUrl !== null,
  }
}

export type PaymentFacts = ReturnType<typeof factsOf>

function firstOf(instants: readonly InstantUs[]): InstantUs | null {
  return instants.length === 0 ? null : instants.reduce((first, atUs) => Math.min(first, atUs))
}

/** `scenario`: the second payment of one request. `other`: an operator or a customer. */
function originOf({ history }: Payment): 'request' | 'scenario' | 'other' {
  const [first] = history
  if (first?.by === 'plan') return 'scenario'
  return first?.by === 'request' ? 'request' : 'other'
}

/** As the organisation sees it; `within`: between its own wallets. */
function directionOf({ direction }: Kind): 'in' | 'out' | 'within' {
  if (direction === 'between') return 'within'
  return direction === 'in' ? 'in' : 'out'
}

function orderOf({ request }: Payment): string | null {
  const name = request['accountReference'] ?? request['paymentReference']
  return typeof name === 'string' && name.trim() !== '' ? name.trim().toUpperCase() : null
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

export class JournalFacts {
  readonly refused: RefusedRequest[] = []
  readonly answered = new Set<number>()
  readonly shownAtUs = new Map<string, InstantUs[]>()
  listedAtUs: InstantUs | null = null
  lookedInVainAtUs: InstantUs | null = null

  see(entry: JournalEntry, opens: boolean): void {
    const arrived = isIntact(entry)
    if (entry.method === 'GET' && !arrived) this.lookedInVainAtUs = entry.atUs
    if (arrived && entry.status < 300) {
      if (entry.responseBody?.startsWith('(')) this.listedAtUs = entry.atUs
      for (const [uuid] of entry.responseBody?.matchAll(UUID) ?? []) this.#noteShown(uuid.toLowerCase(), entry.atUs)
      if (entry.paymentSeq !== null) this.answered.add(entry.paymentSeq)
    }
    if (!opens || entry.paymentSeq !== null) return
    const reference = referenceIn(entry.requestBody)
    const { requestId, atUs, status } = entry
    if (reference !== undefined) this.refused.push({ reference, requestId, atUs, status })
  }

  #noteShown(uuid: string, atUs: InstantUs): void {
    const known = this.shownAtUs.get(uuid)
    if (!known) this.shownAtUs.set(uuid, [atUs])
    else if (known.at(-1) !== atUs) known.push(atUs)
  }
}

function isIntact({ status, notes }: JournalEntry): boolean {
  return status > 0 && status < 500 && notes?.fault === undefined
}

function referenceIn(body: string | null): string | undefined {
  const sent = asJson(body)
  const reference = isRecord(sent) ? (sent['referenceId'] ?? sent['externalReference']) : undefined
  return typeof reference === 'string' ? normalText(reference) : undefined
}

// How references and statuses of books are read.

/** Format characters that no editor shows: zero-width spaces, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu

/** How both sides of a comparison are read: composed letters, single blanks, none at the ends. */
export function normalText(text: string): string {
  return text.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** `open`: not decided. `unpaid`: moved nothing, or what it moved was returned. */
export type Outcome = 'open' | 'paid' | 'unpaid'

/** Besides the service's own words, those that most apps have for them. */
const PAID = ['PAID', 'DONE', 'COMPLETE', 'COMPLETED', 'SETTLED', 'SUCCESSFUL']
const UNPAID = ['REFUSED', 'REJECTED', 'DECLINED', 'ERROR', 'CANCELED', 'REVERSED', 'RETURNED']

/** An unknown word counts as open. */
export function outcomeOf(status: string): Outcome {
  const word = status.trim().toUpperCase()
  if (isPaid(word) || PAID.includes(word)) return 'paid'
  return isFailed(word) || UNPAID.includes(word) ? 'unpaid' : 'open'
}
