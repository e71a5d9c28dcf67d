/** What can be waited for, looked for and verified, as lists and answers show it. */
import type { Core } from '../engine/core.ts'
import type { Callback } from '../model/callback.ts'
import type { Payment } from '../model/payment.ts'
import type { EvaluationContext } from '../questions/evaluation-context.ts'
import { nearestTo, sayMissed } from '../questions/near-miss.ts'
import { newest, type Query } from '../questions/search.ts'
import type { Subject } from '../questions/subjects.ts'
import type { InboxMessage } from '../store/inbox-table.ts'
import type { JournalEntry } from '../store/journal-table.ts'
import type { World } from '../world/world.ts'
import {
  type CallbackSummary,
  callbackSummary,
  type InboxMessageShown,
  inboxMessage,
  type PaymentSummary,
  paymentSummary,
  type RequestEntry,
  requestEntry,
} from './present.ts'

/** So many of the newest are looked at for the nearest miss. */
const COMPARED = 1_000

/** What is shown of one thing of a subject. */
type SubjectShown = PaymentSummary | CallbackSummary | RequestEntry | ({ inbox: string } & InboxMessageShown)

/** One thing of a subject. */
export function presentSubject(core: Core, subject: Subject, { seen }: EvaluationContext): SubjectShown {
  switch (subject) {
    case 'payment':
      return paymentSummary(core, seen.payment as Payment)
    case 'callback':
      return callbackSummary(core, seen.callback as Callback)
    case 'request':
      return requestEntry(core, seen.entry as JournalEntry)
    case 'inbox': {
      const message = seen.message as InboxMessage
      return { inbox: message.name, ...inboxMessage(message) }
    }
  }
}

export const nouns: Record<Subject, string> = {
  payment: 'payment',
  callback: 'callback',
  request: 'request',
  inbox: 'message',
}

/** What came nearest to a question, and what was different about it; null when there is nothing at all. */
export function nearestMiss(world: World, query: Query) {
  const noun = nouns[query.subject]
  const there = newest(world, query, COMPARED)
  const { predicate } = query
  const others = predicate ? there.filter((context) => !predicate.holds(context)) : []
  const nearest = predicate && nearestTo(predicate, others)
  if (!nearest) return { nearest: null, why: there.length > 0 ? `there is no other ${noun}` : `there is no ${noun}` }
  const thing = presentSubject(world.core, query.subject, nearest.context)
  return {
    nearest: { ...thing, held: nearest.held, missed: nearest.missed },
    why: sayMissed(nearest.missed),
  }
}
