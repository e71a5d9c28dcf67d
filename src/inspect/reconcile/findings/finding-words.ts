/** Names of payments, lines and numbers in sentences of findings. */
import type { Zone } from '../../../core/model/calendar.ts'
import { moneyText } from '../../../core/model/money.ts'
import { plainTime } from '../../../core/model/plain-time.ts'
import type { PaymentFacts } from '../ledger-facts.ts'
import type { BookedPayment } from '../read-books.ts'

export function named(payment: PaymentFacts | undefined): string {
  if (!payment) return 'a payment'
  const { kind, direction, party, reference, order } = payment
  const whom = party === null ? '' : ` ${direction === 'in' ? 'from' : 'to'} ${party}`
  const name = reference ?? order
  return `the ${kind} of ${sum(payment)}${whom}${name === null ? '' : ` (${name})`}`
}

export function theOther(payment: PaymentFacts | undefined, zone: Zone): string {
  return `payment ${payment?.uuid} (${created(payment, zone)})`
}

export function sum(payment: PaymentFacts | undefined): string {
  return moneyText(payment?.amountMinor ?? 0, payment?.currency ?? '')
}

export function isOver(one: PaymentFacts | undefined, other: PaymentFacts | undefined): boolean {
  return typeof one?.endedAtUs === 'number' && one.endedAtUs <= (other?.createdAtUs ?? 0)
}

export function bothPaidText(payment: PaymentFacts | undefined, other: PaymentFacts | undefined): string {
  if (payment?.outcome !== 'paid' || other?.outcome !== 'paid') return ''
  return ` Both were paid, ${sum(payment)} each.`
}

export function created(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.createdAtUs ?? 0, zone)
}

export function since(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.sinceUs ?? 0, zone)
}

export function lineOf(line: BookedPayment | undefined): string {
  const known = [line?.reference ?? line?.requestId, line?.status].filter((one) => one !== undefined)
  return `Line ${line?.number} of the books${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

export function alikeText(alike: string | undefined): string {
  return alike === undefined ? '' : ` ${JSON.stringify(alike)} differs by spelling only.`
}

export function often(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}
