/** Infers what happened to an app, as choices of the explorer, from what the files of an incident show. */
import { isFailed, isOpen, isPaid } from '../../core/lifecycle.ts'
import { must } from '../../core/model/must.ts'
import { paymentsService } from '../../service/service.ts'
import type { Choice } from '../explore/choice.ts'
import { optionsOf } from '../explore/schedules.ts'
import type { HarRecord } from '../traffic/read-traffic.ts'
import {
  amountIn,
  isUnanswered,
  type Seen,
  type SeenPayment,
  type SeenRequest,
  statusesOf,
  type ToldCallback,
} from './seen-payments.ts'

/** `certain`: two sources agree. `likely`: one shows it. `possible`: nothing speaks against it. */
const sures = ['certain', 'likely', 'possible'] as const
export type Sure = (typeof sures)[number]

export type Inferred = ReturnType<typeof inferred>

type As<Do extends Choice['do']> = Extract<Choice, { do: Do; as: unknown }>['as']

const MINUTE_MS = 60_000
const LONG_MS = 10 * MINUTE_MS
const DAYS_MS = 2 * 24 * 60 * MINUTE_MS
/** An app that waits so long for an answer does something else meanwhile. */
const HELD_MS = 20_000
/** A token lives for five minutes. */
const TOKEN_MS = 290_000
const LOGINS = ['getToken', 'refreshToken']

export function infer(seen: Seen): Inferred[] {
  const made = seen.payments.filter(({ nth }) => nth > 0)
  const all = [
    ...made.flatMap((one) => [...answerOf(one), ...endOf(one), ...tellingsOf(one, seen)]),
    ...requestsOf(seen),
  ]
  const alike = Map.groupBy(all, ({ choice }) => JSON.stringify(choice)).values()
  return Array.from(alike, (those) => must(those.sort(surestFirst)[0])).filter(({ choice }) => isOffered(choice))
}

function surestFirst(a: Inferred, b: Inferred): number {
  return sures.indexOf(a.sure) - sures.indexOf(b.sure)
}

function inferred(choice: Choice, sure: Sure, entry: HarRecord | undefined, why: string) {
  return { choice, sure, entry, why }
}

function isEnded(status: string): boolean {
  return isPaid(status) || isFailed(status)
}

/** A kind of payment does not have every end, nor every callback. */
function isOffered(choice: Choice): boolean {
  if (!('kind' in choice) || !('nth' in choice)) return true
  const { kind, nth } = choice
  const written = JSON.stringify(choice)
  return optionsOf({ kind, nth }, { acts: [] }).some((one) => JSON.stringify(one) === written)
}

function answerOf(payment: SeenPayment): Inferred[] {
  const { kind, nth, asked, made, twins } = payment
  const { entry, called } = asked
  const answer = (as: As<'answer'>, sure: Sure, why: string) =>
    inferred({ do: 'answer', kind, nth, as }, sure, entry, why)
  const merged = twins.map(() =>
    inferred({ do: 'twice', kind, nth }, 'likely', entry, `${called} was asked once, and the list has it twice`),
  )
  if (!isUnanswered(asked)) return [...merged, ...lateAnswer(payment)]
  const fate = fateOf(entry)
  const how = `${called} ${entry.status === 0 ? 'got no answer' : `was answered ${entry.status}`}`
  if (made === 'yes') return [...merged, answer(fate, 'certain', `${how}; ${evidenceOf(payment)}`)]
  return [answer(fate, 'likely', `${how}, and nothing shows whether it was executed`)]
}

function lateAnswer({ kind, nth, asked: { entry, called }, told: [first] }: SeenPayment): Inferred[] {
  const held = (sure: Sure, why: string) => inferred({ do: 'answer', kind, nth, as: 'held' }, sure, entry, why)
  const isLong = entry.tookMs >= HELD_MS
  const afterMs = first && first.entry.atMs - entry.atMs
  // Clocks of several sources differ: what comes before its request says nothing of the answer.
  if (afterMs === undefined || afterMs < 0 || afterMs > entry.tookMs || entry.tookMs === 0)
    return isLong ? [held('likely', `${called} was answered after ${seconds(entry.tookMs)}`)] : []
  const why = `${called} was answered after its callback had come`
  const early = (sure: Sure) => inferred({ do: 'tell', kind, nth, as: 'early' }, sure, first?.entry, why)
  return isLong || afterMs >= 1000 ? [held('likely', why), early('possible')] : [early('likely'), held('possible', why)]
}

function fateOf({ status, mediaType, answer }: HarRecord): 'lost' | '500' | '503' | '502-page' | '504-page' {
  if (status === 0) return 'lost'
  const isPage = /html/.test(mediaType) || /^\s*</.test(answer)
  if (status === 504) return '504-page'
  if (isPage || status === 502) return '502-page'
  return status === 503 ? '503' : '500'
}

function evidenceOf({ row, looked, told }: SeenPayment): string {
  if (row) return `the list shows it ${wordOf(row.status)}`
  const found = looked.find(({ status }) => status !== 'absent')
  if (found) return `entry ${found.asked.entry.number} shows it ${wordOf(found.status)}`
  return `entry ${told[0]?.entry.number} tells of it`
}

/** Only words of the service are repeated. */
function wordOf(status: string | undefined): string {
  return status !== undefined && (isOpen(status) || isEnded(status)) ? status : 'with a status of its own'
}

function endOf(payment: SeenPayment): Inferred[] {
  const { kind, nth, row, asked } = payment
  const shown = statusesOf(payment)
  const end = (as: As<'end'>, sure: Sure, entry: HarRecord | undefined, why: string) =>
    inferred({ do: 'end', kind, nth, as }, sure, entry, why)
  const forged = (sure: Sure, entry: HarRecord, why: string) =>
    inferred({ do: 'tell', kind, nth, as: 'forged' }, sure, entry, why)
  const finals = shown.filter(({ status }) => isEnded(status))
  const [first] = finals
  const last = row ?? finals.at(-1)
  const source = row ? 'the list shows it' : 'it is last shown'
  const sure = row && first ? 'certain' : 'likely'
  if (last && first && isFailed(first.status) && isPaid(last.status))
    return [end('failed-then-paid', sure, first.entry, `it was shown FAILED, and ${source} ${wordOf(last.status)}`)]
  if (last && first && isPaid(first.status) && isFailed(last.status)) {
    const isBelieved = finals.some(({ status, isTold }) => (isPaid(status) ? !isTold : isTold))
    const why = `it was shown ${first.status}, and ${source} ${last.status}`
    if (isBelieved) return [end('paid-then-failed', sure, first.entry, why)]
    return [forged('likely', first.entry, why), end('paid-then-failed', 'possible', first.entry, why)]
  }
  const open = shown.findLast(({ status }) => isOpen(status))
  if (!last || !isEnded(last.status)) {
    const isLong = open && open.entry.atMs - asked.entry.atMs >= LONG_MS
    if (row && first?.isTold && isPaid(first.status)) {
      const why = `a callback said ${first.status}, and the list shows it ${wordOf(row.status)}`
      return [end('never', 'likely', first.entry, why), forged('possible', first.entry, why)]
    }
    if (row) return [end('never', 'certain', asked.entry, `the list shows it ${wordOf(row.status)}`)]
    return isLong ? [end('never', 'likely', open.entry, `it is still ${open.status} at the end of the traffic`)] : []
  }
  const ranMs =
    ranFor(payment) ?? (open && (first?.entry.atMs ?? 0) > open.entry.atMs ? open.entry.atMs - asked.entry.atMs : 0)
  const why = `${source} ${wordOf(last.status)}${ranMs >= LONG_MS ? `, ${Math.round(ranMs / MINUTE_MS)} minutes later` : ''}`
  if (isFailed(last.status))
    return [end(ranMs >= LONG_MS ? 'failed-late' : 'failed', sure, first?.entry ?? asked.entry, why)]
  return ranMs >= LONG_MS ? [end('slow', sure, first?.entry ?? asked.entry, why)] : []
}

function ranFor({ row }: SeenPayment): number | undefined {
  return row?.createdMs === undefined || row.endedMs === undefined ? undefined : row.endedMs - row.createdMs
}

function tellingsOf(payment: SeenPayment, seen: Seen): Inferred[] {
  const { kind, nth, row, looked, told, asked } = payment
  const { callback } = paymentsService.kinds.of(kind)
  const tell = (as: string, sure: Sure, entry: HarRecord | undefined, why: string) =>
    inferred({ do: 'tell', kind, nth, as }, sure, entry, why)
  if (!callback) return []
  const finals = told.filter(({ status }) => status === undefined || !isOpen(status))
  const [first, second] = finals
  const known = row?.status ?? looked.findLast(({ status }) => status !== 'absent')?.status
  const open = told.find(({ status }) => status !== undefined && isOpen(status))
  const pending = open ? [inferred({ do: 'tell-pending' }, 'likely', open.entry, 'a callback told of PENDING')] : []
  if (!first) {
    const isOver = known !== undefined && !isOpen(known)
    if (!isOver || typeof asked.sent['callbackUrl'] !== 'string') return pending
    if (seen.hasCallbacks) return [...pending, tell('lost', 'likely', asked.entry, 'no callback told of its end')]
    return [...pending, tell('lost', 'possible', asked.entry, 'no callback is in the traffic')]
  }
  const isOther = second?.body && first.body && amountIn(second.body) !== amountIn(first.body)
  return [
    ...pending,
    ...repeatedOf(payment, finals),
    ...lateTelling(payment, first, seen).map(([as, why]) => tell(as, 'likely', first.entry, why)),
    ...oddities(payment, first, seen).map(([as, sure, why]) => tell(as, sure, first.entry, why)),
    ...(isOther ? [tell('stranger-amount', 'likely', first.entry, 'two callbacks told of different amounts')] : []),
    ...seen.strange.flatMap(({ entry }) =>
      ['stranger-unknown', 'stranger-other'].map((as) =>
        tell(as, 'possible', entry, 'a callback is about no payment of the traffic'),
      ),
    ),
  ]
}

/** A copy of what the app had taken: what it had not taken is only tried again. */
function repeatedOf({ kind, nth }: SeenPayment, finals: readonly ToldCallback[]): Inferred[] {
  for (const [i, { entry, status }] of finals.entries()) {
    const again = finals.slice(i + 1).find((one) => one.status === status)
    if (!again || entry.status < 200 || entry.status >= 300) continue
    const why = `its callback came again, ${seconds(again.entry.atMs - entry.atMs)} later`
    const tell = (as: string, sure: Sure) => inferred({ do: 'tell', kind, nth, as }, sure, again.entry, why)
    const isAtOnce = again.entry.atMs <= entry.atMs + entry.tookMs
    return [tell('twice', isAtOnce ? 'possible' : 'likely'), tell('at-once', isAtOnce ? 'likely' : 'possible')]
  }
  return []
}

function lateTelling(payment: SeenPayment, { entry }: ToldCallback, seen: Seen): [string, string][] {
  const endedMs = endedAt(payment)
  if (endedMs === undefined) return []
  const lateMs = entry.atMs - endedMs
  const isOvertaken = seen.payments.some((other) => {
    const [told] = other.told
    const otherMs = endedAt(other)
    return told && otherMs !== undefined && otherMs > endedMs && told.entry.atMs < entry.atMs
  })
  const why = `its callback came ${Math.round(lateMs / MINUTE_MS)} minutes after its end`
  if (lateMs >= DAYS_MS) return [['days-late', why]]
  if (isOvertaken) return [['overtaken', 'its callback came after that of a later payment']]
  return lateMs >= LONG_MS ? [['late', why]] : []
}

/** By the clock of the traffic; undefined where it is not known, or changed. */
function endedAt(payment: SeenPayment): number | undefined {
  const { asked, looked } = payment
  const ranMs = ranFor(payment)
  if (endOf(payment).some(({ choice }) => choice.do === 'end' && choice.as.includes('-then-'))) return undefined
  const over = looked.find(({ status }) => isEnded(status))
  return ranMs === undefined ? over?.asked.entry.atMs : asked.entry.atMs + ranMs
}

/** Spelling is odd only beside others that are spelled otherwise. */
const SPACED = /^\s*\{\s+"|[:,]\s+["\d{[]/
const EXPONENT = /:\s*-?\d+(?:\.\d+)?E/

function oddities(payment: SeenPayment, { body, entry, status }: ToldCallback, seen: Seen): [string, Sure, string][] {
  const { kind, amountMinor } = payment
  const shape = paymentsService.kinds.of(kind).callback?.schema.shape ?? {}
  const found: [string, Sure, string][] = []
  const isWord = status === undefined || status === status.toUpperCase() ? wordOf(status) === status : true
  if (body) {
    const amount = amountIn(body)
    if ('status' in shape && status === undefined) found.push(['no-status', 'likely', 'its callback has no status'])
    if ('amount' in shape && amount === undefined) found.push(['no-amount', 'likely', 'its callback has no amount'])
    if (amount !== undefined && amountMinor !== undefined && amount !== amountMinor) {
      const why = 'its callback has another amount'
      found.push(['other-amount', 'likely', why], ['altered', 'possible', why], ['stranger-amount', 'possible', why])
    }
    if (Object.values(body).some((value) => typeof value === 'string' && /\d\*+\d|\*{3}|^[\da-f]{40,}$/.test(value)))
      found.push(['masked', 'likely', 'its callback has a masked number'])
    if (Object.keys(body).some((name) => !(name in shape)))
      found.push(['extra', 'likely', 'its callback has fields that nobody announced'])
  }
  if (status !== undefined && !isWord) found.push(['odd', 'likely', 'its callback has a status that nobody announced'])
  const all = seen.payments.flatMap(({ told }) => told.map((one) => one.entry.body))
  if (EXPONENT.test(entry.body)) found.push(['exponents', 'likely', 'its callback has numbers such as 1E3'])
  else if (SPACED.test(entry.body) && !all.every((text) => SPACED.test(text)))
    found.push(['respelled', 'likely', 'its callback is spelled otherwise than others'])
  return found
}

function requestsOf({ asked, payments }: Seen): Inferred[] {
  const opening = new Map(payments.map((one) => [one.asked, one]))
  const compact = asked.filter(({ entry }) => entry.answer !== '' && !SPACED.test(entry.answer))
  let tokenMs = Number.NEGATIVE_INFINITY
  return asked.flatMap((one): Inferred[] => {
    const { entry, operation, nth, called } = one
    if (LOGINS.includes(operation)) {
      tokenMs = entry.atMs
      return []
    }
    const payment = opening.get(one)
    const refuse = (as: string, sure: Sure, why: string) =>
      inferred({ do: 'refuse', operation, nth, as }, sure, entry, `${called} ${why}`)
    const spoil = (as: string, sure: Sure, why: string) =>
      inferred({ do: 'spoil', operation, nth, as }, sure, entry, `${called} ${why}`)
    const { status } = entry
    if (status === 401) {
      // A token that is over is over in a new run, too.
      const isOld = entry.method === 'GET' && entry.atMs - tokenMs >= TOKEN_MS
      return isOld ? [] : [refuse('revoked', 'certain', 'was answered 401')]
    }
    if (status === 429) return [refuse('429', 'certain', 'was answered 429')]
    if (isUnanswered(one)) {
      const fate = fateOf(entry)
      const as = fate === 'lost' ? 'empty' : fate
      const told = status === 0 ? 'got no answer' : `was answered ${status}`
      if (!payment || payment.made === 'no') return [refuse(as, payment ? 'certain' : 'likely', told)]
      return payment.made === 'perhaps' ? [refuse(as, 'possible', `${told}, perhaps without being executed`)] : []
    }
    if (status === 400 && payment) return [refuse('400', 'possible', 'was answered 400')]
    if (status < 200 || status >= 300 || entry.answer === '') return []
    const isCut = /json/.test(entry.mediaType) && typeof one.answer === 'string' && !entry.unrecorded.has('answer')
    return [
      ...(isCut ? [spoil('cut', 'possible', 'was answered with a part of a body, or the file holds only that')] : []),
      ...(SPACED.test(entry.answer) && compact.length > 0
        ? [spoil('respelled', 'likely', 'was answered in another spelling')]
        : []),
      ...(isStale(one, payments) ? [spoil('stale', 'likely', 'was answered as if the payment had not ended')] : []),
    ]
  })
}

function isStale({ entry }: SeenRequest, payments: readonly SeenPayment[]): boolean {
  return payments.some((payment) => {
    const shown = statusesOf(payment)
    const isOver = shown.some((one) => one.entry.atMs < entry.atMs && isEnded(one.status))
    return isOver && isOpen(shown.find((one) => one.entry === entry)?.status ?? '')
  })
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
