/** Choices that are open, given what an app did on an ordinary day. */
import { paymentsService } from '../../service/service.ts'
import { type Choice, choiceSort, choicesOffered } from './choice.ts'
import type { OrdinaryDay } from './choices/choice-record.ts'
import { dayOf } from './day.ts'
import type { PaymentMet } from './happened.ts'
import type { Ran } from './schedule-runner.ts'

/** So many requests of one operation end the app or are refused; later ones are more of the same. */
const REQUESTS_EACH = 3

/** Everything that can be chosen for one payment, a refusal of the request for it included. */
export function optionsOf({ kind, nth }: PaymentMet): Choice[] {
  const of = paymentsService.kinds.of(kind)
  const operation = paymentsService.operations.find(({ opens }) => opens === kind)?.id
  // No request makes it: customers decide about it alone.
  if (operation === undefined) return []
  return choicesOffered(({ forPayment }) => forPayment?.({ kind, nth, of, operation }))
}

/** Everything else: ends of the app, refusals, and other days. Sorts of choices take turns. */
export function othersOf(base: Pick<Ran, 'requests' | 'told'>, merchant: OrdinaryDay['merchant']): Choice[] {
  const requests = base.requests.filter(({ nth, opens }) => opens !== undefined || nth <= REQUESTS_EACH)
  const steps = dayOf(merchant).map((step, i) => ({ step, number: i + 1 }))
  const day = { requests, told: base.told, steps, merchant }
  const choices = choicesOffered(({ forDay }) => forDay?.(day))
  return inTurn(Object.values(Object.groupBy(choices, choiceSort)).filter((list) => list !== undefined))
}

/** One of each list, then the next of each. */
export function inTurn<One>(lists: readonly (readonly One[])[]): One[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}
