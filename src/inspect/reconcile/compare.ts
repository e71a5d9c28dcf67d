/** Compares books with the ledger and returns differences without words. Pure. */

import type { Zone } from '../../core/model/calendar.ts'
import { toMajor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import { capital } from '../../core/model/problems.ts'
import { SECOND_US } from '../../core/model/time.ts'
import { type Finding, type FindingCode, findingRecords, type RequestWithoutPayment } from '../finding.ts'
import { type DifferenceFacts, DOUBTFUL, type differences, type FindingRecord } from './money-findings.ts'
import { outcomeOf, type PaymentFacts, type RefusedRequest } from './payment-facts.ts'
import type { BookedPayment } from './read-books.ts'

interface BooksDifference extends DifferenceFacts {
  code: keyof typeof differences
}

export interface LedgerFacts {
  payments: readonly PaymentFacts[]
  refused: readonly RefusedRequest[]
  asked?: readonly RequestWithoutPayment[] | undefined
}

export function askedTooOften(
  payments: readonly PaymentFacts[],
  asked: readonly RequestWithoutPayment[] = [],
): BooksDifference[] {
  // Without books nothing else says of a repeat without references that it was not meant.
  const repeats = repeatsOf(payments).map((one) => ({ ...one, doubtful: one.doubtful || one.unanswered }))
  return onceTooOften(repeats, [], new UsualRequests(payments, asked)).filter(({ doubtful }) => !doubtful)
}

/** At most one difference of a payment says where its money went, so that nothing is counted twice. */
export function compareBooks(lines: readonly BookedPayment[], { payments, refused, asked = [] }: LedgerFacts) {
  const matched = match(lines, payments)
  const usual = new UsualRequests(payments, asked)
  // As many requests as usual mean that each was intended.
  const repeats = repeatsOf(payments).filter(({ again, samePurpose }) => samePurpose || (usual.tooMany(again) ?? 1) > 0)
  const refusedBy = new Map(refused.map((request) => [request.reference, request]))
  const feesAreKept = lines.some(({ feeMinor }) => feeMinor !== undefined)
  const wrong = matched.pairs.flatMap((pair) =>
    pairProblems(pair, feesAreKept).map((problem): BooksDifference => ({ ...problem, ...pair })),
  )
  const certain = wrong.filter(({ doubtful }) => !doubtful)
  const disputed = new Set([...certain.map(({ payment }) => payment), ...matched.payments])
  const again = repeats.flatMap((one) => askedAgain(one, disputed) ?? [])
  return {
    matched,
    differences: [
      ...wrong,
      ...matched.repeated.flatMap(bookedTwice),
      ...matched.lines.flatMap((line) => lineAlone(line, refusedBy, matched) ?? []),
      ...unknownPayments(matched, lines, payments, repeats),
      ...bothPaid(matched, repeats),
      ...again,
      ...onceTooOften(repeats, again, usual),
    ],
  }
}

function bookedTwice(pair: Pair): BooksDifference[] {
  return isUnpaid(pair.line) ? [] : [{ code: 'booked_twice', ...pair }]
}

function isUnpaid({ status }: BookedPayment): boolean {
  return status !== undefined && outcomeOf(status) === 'unpaid'
}

/** A line that claims no money does no harm. */
function lineAlone(
  line: BookedPayment,
  refusedBy: ReadonlyMap<string, RefusedRequest>,
  { pairs }: Matched,
): BooksDifference | undefined {
  if (line.reference === undefined && line.requestId === undefined) return { code: 'unmatched_line', line }
  if (line.amountMinor === 0 || isUnpaid(line)) return undefined
  const answer = refusedBy.get(line.reference ?? '')
  if (answer) return { code: 'never_made', line, refused: answer }
  const taken = pairs.find(({ payment }) => line.reference !== undefined && payment.reference === line.reference)
  return { code: 'never_asked', line, other: taken?.payment }
}

function unknownPayments(
  { payments: unknown, pairs }: Matched,
  lines: readonly BookedPayment[],
  payments: readonly PaymentFacts[],
  repeats: readonly Repeat[],
): BooksDifference[] {
  const known = new Set(pairs.map(({ payment }) => payment))
  const byUuid = new Map(payments.map((payment) => [payment.uuid, payment]))
  const twins = new Map(payments.map((payment) => [payment.twinOf, payment]))
  const kinds = new Set([...lines.map(({ kind }) => kind), ...pairs.map(({ payment }) => payment.kind)])
  const asked = new Set(payments.filter(({ origin }) => origin === 'request').map(({ kind }) => kind))
  const paidAgain = new Map<PaymentFacts, PaymentFacts>()
  for (const { first, again, samePurpose, unanswered } of repeats.toReversed())
    if ((samePurpose || unanswered) && first.outcome === 'paid' && again.outcome === 'paid')
      paidAgain.set(first, again).set(again, first)
  return unknown.flatMap((payment): BooksDifference | BooksDifference[] => {
    if (payment.outcome === 'unpaid' || payment.amountMinor === 0) return []
    // The books may hold either of two payments that one request made: the scenario made the other.
    const second = twins.get(payment.uuid)
    const twin = byUuid.get(payment.twinOf ?? '') ?? (second && known.has(second) ? second : undefined)
    if (twin) return { code: 'executed_twice', payment, other: twin, ...(!payment.longKnowable && DOUBTFUL) }
    if (payment.hidden || isStillTold(payment)) return []
    if (payment.outcome === 'open' && payment.direction !== 'out') return []
    const other = paidAgain.get(payment)
    if (other) return { code: payment.direction === 'in' ? 'charged_too_much' : 'paid_twice', payment, other }
    if (!isOwed(payment, kinds.has(payment.kind), asked.has(payment.kind))) return { code: 'unasked_unknown', payment }
    return { code: payment.outcome === 'open' ? 'pending_unknown' : 'paid_unknown', payment }
  })
}

/**
 * Not all payments must be in the books: transfers between own wallets and unrequested money count only if the app
 * keeps them or got a callback.
 */
function isOwed(payment: PaymentFacts, kept: boolean, canBeAsked: boolean): boolean {
  const { origin, direction, callbacks, subscribed } = payment
  if (origin === 'request') return direction !== 'within' || kept
  return callbacks.written > 0 || subscribed || (kept && !canBeAsked)
}

function bothPaid({ pairs }: Matched, repeats: readonly Repeat[]): BooksDifference[] {
  const lines = new Map(pairs.map(({ line, payment }) => [payment, line]))
  const refundsAreKept = pairs.some(({ line }) => line.refundDueMinor !== undefined)
  return repeats.flatMap(({ first, again, samePurpose, underWay }): BooksDifference | BooksDifference[] => {
    const [firstLine, line] = [lines.get(first), lines.get(again)]
    if (!samePurpose || !firstLine || !line || first.outcome !== 'paid' || again.outcome !== 'paid') return []
    if (again.direction !== 'in')
      return { code: 'paid_twice', line, payment: again, other: first, ...(wasMeant(first, again) && DOUBTFUL) }
    if ((firstLine.refundDueMinor ?? 0) + (line.refundDueMinor ?? 0) >= again.amountMinor) return []
    const counts = refundsAreKept || underWay
    return { code: 'charged_too_much', line, payment: again, other: first, ...(!counts && DOUBTFUL) }
  })
}

/** An app that saw the first one paid and asks again under the same reference wants two. */
function wasMeant(first: PaymentFacts, again: PaymentFacts): boolean {
  const seen = first.endLearntAtUs !== null && first.endLearntAtUs <= again.createdAtUs
  return seen && first.outcomes.find((outcome) => outcome !== 'open') === 'paid'
}

/** Asked again too early. Two that are both booked under own references were both meant. */
function askedAgain(
  { first, again, samePurpose, underWay, unanswered }: Repeat,
  disputed: ReadonlySet<PaymentFacts | undefined>,
): BooksDifference | undefined {
  // An app that cannot know of the first may ask again.
  if (first.hidden) return undefined
  const found = { payment: again, other: first }
  const known = !disputed.has(first) && !disputed.has(again)
  if (unanswered && first.reference !== again.reference && !known)
    return { code: 'asked_again_after_unknown_answer', ...found }
  const apart = first.reference !== null && again.reference !== null && first.reference !== again.reference
  if (underWay && samePurpose && !(apart && known)) return { code: 'asked_again_under_way', ...found }
  return undefined
}

/**
 * Asked again under another reference. Both may have been meant, so the earlier run decides; without one it is advice.
 */
function onceTooOften(
  repeats: readonly Repeat[],
  found: readonly BooksDifference[],
  usual: UsualRequests,
): BooksDifference[] {
  const told = new Set(found.map(({ payment }) => payment))
  const doubtful = repeats.filter(({ first, again, doubtful }) => doubtful && !first.hidden && !told.has(again))
  const spare = new Map<string, number>()
  // If only some were intended, the least likely are those that closely follow one with an unknown end.
  const likeliest = doubtful.toSorted((a, b) => Number(isUnseen(b)) - Number(isUnseen(a)) || gapOf(a) - gapOf(b))
  return likeliest.flatMap((one): BooksDifference | BooksDifference[] => {
    const { first, again, unanswered } = one
    const sort = paymentSort(again)
    const left = spare.get(sort) ?? usual.tooMany(again)
    if (left === undefined && !isUnseen(one)) return []
    if (left === undefined)
      return { code: 'asked_again_after_unknown_answer', payment: again, other: first, ...DOUBTFUL }
    if (left <= 0 || again.outcome === 'unpaid') return []
    spare.set(sort, left - 1)
    const late = isKnownBy(first.endLearntAtUs, again) ? 'paid_twice' : 'asked_again_under_way'
    const code = unanswered ? 'asked_again_after_unknown_answer' : late
    return { code, payment: again, other: first }
  })
}

/** The app could not know of the first: no answer came, and no look-up showed it. */
function isUnseen({ first, again, unanswered }: Repeat): boolean {
  return unanswered && !isKnownBy(first.learntAtUs, again)
}

function isKnownBy(atUs: number | null, { createdAtUs }: PaymentFacts): boolean {
  return atUs !== null && atUs <= createdAtUs
}

function gapOf({ first, again }: Repeat): number {
  return again.createdAtUs - first.createdAtUs
}

type PairProblem = Pick<BooksDifference, 'code' | 'doubtful'>

/** `feesAreKept`: the books have a column for fees. Otherwise a fee is only mentioned. */
function pairProblems({ line, payment }: Pair, feesAreKept: boolean): PairProblem[] {
  const problems: PairProblem[] = []
  if (line.kind !== undefined && line.kind !== payment.kind) problems.push({ code: 'wrong_kind' })
  if (line.amountMinor !== undefined && line.amountMinor !== payment.amountMinor)
    problems.push({ code: 'wrong_amount' })
  if (line.currency !== undefined && line.currency !== payment.currency) problems.push({ code: 'wrong_currency' })
  if (payment.feeMinor !== (line.feeMinor ?? 0)) problems.push({ code: 'wrong_fee', ...(!feesAreKept && DOUBTFUL) })
  const status = line.status === undefined ? undefined : statusProblem(line.status, payment)
  return status ? [...problems, status] : problems
}

/** Skips payments that the merchant could not look up, or whose callback is still to come. */
function statusProblem(believed: string, payment: PaymentFacts): PairProblem | undefined {
  const belief = outcomeOf(believed)
  const { outcome, outcomes } = payment
  if (belief === outcome || payment.amountMinor === 0) return undefined
  // It was true, and the merchant has not been told of the change yet.
  if (isStillTold(payment) && outcomes.includes(belief)) return undefined
  if (belief === 'paid') return { code: outcomes.includes('paid') ? 'taken_back' : 'believed_paid' }
  if (payment.hidden) return undefined
  // Money that did not arrive was not there before either, so nobody loses it.
  const counts = outcome === 'paid' || payment.direction === 'out'
  return { code: outcome === 'open' ? 'given_up' : 'stale', ...(!counts && DOUBTFUL) }
}

function isStillTold({ outcome, callbacks }: PaymentFacts): boolean {
  return outcome !== 'open' && callbacks.untried > 0
}

/** A later payment is a new one, unless it says that it is the same. */
const CLOSE_US = 86_400 * SECOND_US
const LOOKED_BACK = 50

/**
 * Each payment with the latest similar one before it: same direction, party, amount, currency and purpose, or nothing
 * known of the first. Payments that a scenario doubled do not count, since the merchant asked once.
 */
function repeatsOf(payments: readonly PaymentFacts[]): Repeat[] {
  const shared = sharedOrders(payments)
  const alike = Map.groupBy(
    payments.filter(({ origin, amountMinor }) => origin === 'request' && amountMinor > 0),
    ({ organisationId, kind, currency, amountMinor, party }) =>
      JSON.stringify([organisationId, kind, currency, amountMinor, party]),
  )
  return [...alike.values()].flatMap((group) =>
    group.flatMap((again, i) => {
      const earlier = group.slice(Math.max(0, i - LOOKED_BACK), i).map((first) => repeat(first, again, shared))
      const found = earlier.filter((one) => one.samePurpose || one.unanswered || one.doubtful)
      return (
        found.toSorted(
          (a, b) =>
            Number(b.samePurpose) - Number(a.samePurpose) ||
            Number(b.unanswered) - Number(a.unanswered) ||
            b.first.seq - a.first.seq,
        )[0] ?? []
      )
    }),
  )
}

function repeat(first: PaymentFacts, again: PaymentFacts, shared: ReadonlySet<string>) {
  const sameOrder = first.order !== null && first.order === again.order && !shared.has(first.order)
  const otherOrder = first.order !== null && again.order !== null && first.order !== again.order
  const samePurpose = (first.reference !== null && first.reference === again.reference) || sameOrder
  const alike = samePurpose || (first.party !== null && !otherOrder)
  const apart = first.reference !== null && again.reference !== null && first.reference !== again.reference
  const close = again.createdAtUs - first.createdAtUs <= CLOSE_US
  return {
    first,
    again,
    samePurpose,
    underWay: first.endedAtUs === null || first.endedAtUs > again.createdAtUs,
    unanswered: alike && !first.answered && (samePurpose || close),
    /** Soon after a success and under another reference. Who means two such payments asks for both in every run. */
    doubtful: alike && apart && close && !hadFailed(first, again.createdAtUs),
  }
}

type Repeat = ReturnType<typeof repeat>

function hadFailed({ outcome, outcomes, endedAtUs, sinceUs }: PaymentFacts, byUs: number): boolean {
  const end = outcomes.find((one) => one !== 'open')
  return (end === 'unpaid' && endedAtUs !== null && endedAtUs <= byUs) || (outcome === 'unpaid' && sinceUs <= byUs)
}

/** A name that several payers or prices share is no order. */
function sharedOrders(payments: readonly PaymentFacts[]): Set<string> {
  const meant = new Map<string, string>()
  const shared = new Set<string>()
  for (const { order, party, amountMinor, kind } of payments) {
    if (order === null) continue
    const key = JSON.stringify([kind, party, amountMinor])
    const known = meant.get(order)
    const [knownKind] = known === undefined ? [] : JSON.parse(known)
    if (known !== undefined && known !== key && knownKind === kind) shared.add(order)
    meant.set(order, key)
  }
  return shared
}

// Counts how often each payment was asked for, to compare runs in which people did the same. Pure.

const LISTED_MAX = 1000

export function askedIn(payments: readonly PaymentFacts[]): RequestWithoutPayment[] {
  return [...Map.groupBy(payments.filter(isAskedFor), paymentSort).values()]
    .slice(0, LISTED_MAX)
    .map((alike) => ({ ...describeRequest(must(alike[0])), times: alike.length }))
}

/** Payments of one sort may move money as often as in the earlier run. */
class UsualRequests {
  readonly #alive: ReadonlyMap<string, number>
  readonly #asked: ReadonlyMap<string, number>

  constructor(payments: readonly PaymentFacts[], asked: readonly RequestWithoutPayment[]) {
    const alive = payments.filter((one) => asked.length > 0 && isAskedFor(one) && one.outcome !== 'unpaid')
    this.#alive = new Map([...Map.groupBy(alive, paymentSort)].map(([sort, those]) => [sort, those.length]))
    this.#asked = new Map(asked.map((one) => [nameOf(one), one.times]))
  }

  tooMany(payment: PaymentFacts): number | undefined {
    const sort = paymentSort(payment)
    const times = this.#asked.get(sort)
    return times === undefined ? undefined : (this.#alive.get(sort) ?? 0) - times
  }
}

function paymentSort(payment: PaymentFacts): string {
  return nameOf(describeRequest(payment))
}

function isAskedFor({ origin }: PaymentFacts): boolean {
  return origin === 'request'
}

function describeRequest({ kind, party, amountMinor, currency }: PaymentFacts): Omit<RequestWithoutPayment, 'times'> {
  return { kind, ...(party !== null && { party }), amount: toMajor(amountMinor), currency }
}

function nameOf({ kind, party, amount, currency }: Omit<RequestWithoutPayment, 'times'>): string {
  return JSON.stringify([kind, party ?? null, amount, currency])
}

type About = Omit<Finding, 'code' | 'level' | 'text' | 'todo'>
type FactsOf<Code extends FindingCode> = Parameters<(typeof findingRecords)[Code]['sentence']>[0]

export function tell<Code extends FindingCode>(
  code: Code,
  facts: FactsOf<Code>,
  zone: Zone,
  about: About = {},
  doubtful = false,
): Finding {
  const { level, todo, sentence } = findingRecords[code] as FindingRecord<FactsOf<Code>>
  return { code, level: doubtful ? 'warning' : level, ...about, text: capital(sentence(facts, zone)), todo }
}

export function toFinding(difference: BooksDifference, zone: Zone): Finding {
  const { code, line, payment, other, doubtful } = difference
  const { riskMinor }: FindingRecord<DifferenceFacts> = findingRecords[code]
  const amountMinor = riskMinor?.(difference) ?? payment?.amountMinor ?? line?.amountMinor
  const about = {
    reference: line?.reference ?? payment?.reference ?? undefined,
    requestId: payment?.uuid ?? line?.requestId,
    kind: payment?.kind ?? line?.kind,
    line: line?.number,
    others: other && [other.uuid],
    amount: amountMinor === undefined ? undefined : toMajor(amountMinor),
    currency: payment?.currency ?? line?.currency,
  }
  return tell(code, difference, zone, about, doubtful)
}

interface Pair {
  line: BookedPayment
  payment: PaymentFacts
}

/** First by the service's id, then by the merchant's reference, among payments of the line's kind first. At most one line for each payment. */
export function match(lines: readonly BookedPayment[], payments: readonly PaymentFacts[]) {
  const byUuid = new Map(payments.map((payment) => [payment.uuid, payment]))
  const pairs = new Map<PaymentFacts, Pair>()
  const repeated: Pair[] = []
  const open: BookedPayment[] = []
  for (const line of lines) {
    const payment = line.requestId === undefined ? undefined : byUuid.get(line.requestId)
    if (!payment) open.push(line)
    else if (pairs.has(payment)) repeated.push({ line, payment })
    else pairs.set(payment, { line, payment })
  }
  const byReference = Map.groupBy(payments, ({ reference }) => reference)
  const linesNamed = (line: BookedPayment) =>
    line.reference === undefined ? [] : (byReference.get(line.reference) ?? [])
  const free = (payment: PaymentFacts) => !pairs.has(payment)
  const otherKinds: BookedPayment[] = []
  for (const line of open) {
    const candidates = linesNamed(line).filter(({ kind }) => line.kind === undefined || kind === line.kind)
    const payment = best(line, candidates.filter(free))
    const [again] = candidates
    if (payment) pairs.set(payment, { line, payment })
    else if (again) repeated.push({ line, payment: again })
    else otherKinds.push(line)
  }
  // Only a payment that no other line names may have another kind in the books.
  const left = otherKinds.filter((line) => {
    const payment = best(line, linesNamed(line).filter(free))
    if (payment) pairs.set(payment, { line, payment })
    return payment === undefined
  })
  return {
    pairs: [...pairs.values()].sort((a, b) => a.line.number - b.line.number),
    repeated,
    lines: left,
    payments: payments.filter((payment) => !pairs.has(payment)),
  }
}

type Matched = ReturnType<typeof match>

function best(line: BookedPayment, candidates: readonly PaymentFacts[]): PaymentFacts | undefined {
  const likeness = (payment: PaymentFacts) =>
    (line.status !== undefined && outcomeOf(line.status) === payment.outcome ? 4 : 0) +
    (payment.origin === 'scenario' ? 0 : 2) +
    (line.amountMinor === payment.amountMinor ? 1 : 0)
  return candidates.toSorted((a, b) => likeness(b) - likeness(a) || b.seq - a.seq)[0]
}
