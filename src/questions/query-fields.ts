/** What somebody asks for in short, field by field, as one question. */
import { didYouMean } from '../model/did-you-mean.ts'
import { Refusal } from '../model/refusal.ts'
import type { Service } from '../model/simulated-service.ts'
import type { InstantUs } from '../model/time.ts'
import { type Predicate, readPredicate } from './predicate.ts'
import type { Query } from './search.ts'
import { type Subject, wordsOf } from './subjects.ts'

/** Fields in short: each has to be equal to the field of the subject that stands behind it. */
const shorthands: Record<Subject, Readonly<Record<string, string>>> = {
  payment: {
    kind: 'payment.kind',
    status: 'payment.status',
    referenceId: 'payment.referenceId',
    uuid: 'payment.uuid',
    rule: 'payment.rule',
  },
  callback: { state: 'callback.state', topic: 'callback.topic', payment: 'payment.uuid' },
  request: {
    operation: 'request.operation',
    status: 'request.status',
    method: 'request.method',
    path: 'request.path',
    requestId: 'request.requestId',
    rule: 'request.rule',
  },
  inbox: { name: 'message.name', answered: 'message.answered', signature: 'message.signature' },
}

/** What is asked for: a condition, a stretch of simulated time, and fields in short. */
export interface QueryFields {
  where?: string | undefined
  since?: InstantUs | undefined
  until?: InstantUs | undefined
  /** Requests: with fields that nobody read. */
  unread?: boolean | undefined
  /** Requests: that were turned away. */
  refused?: boolean | undefined
  [shorthand: string]: unknown
}

/** All of it as one query; refuses fields that the subject has not. `at` is put before the names of fields in refusals. */
export function toQuery(
  service: Service,
  subject: Subject,
  { where, since, until, unread, refused, ...short }: QueryFields,
  at = '',
): Query {
  const predicates: Predicate[] = []
  for (const [name, value] of Object.entries(short)) {
    if (value === undefined) continue
    const field = shorthands[subject][name]
    if (field === undefined) throw unknown(subject, name, at)
    checkWord(service, field, value, `${at}${name}`)
    predicates.push(readPredicate(`${field} == ${JSON.stringify(value)}`, subject, `${at}${name}`, service))
  }
  const flags = { unread: unread && 'request.unread.size() > 0', refused: refused && 'request.status >= 400' }
  for (const [name, condition] of Object.entries(flags)) {
    if (!condition) continue
    if (subject !== 'request') throw unknown(subject, name, at)
    predicates.push(readPredicate(condition, subject, `${at}${name}`, service))
  }
  if (where !== undefined) predicates.push(readPredicate(where, subject, `${at}where`, service))
  return { subject, predicate: joined(subject, predicates), stretch: { sinceUs: since, untilUs: until } }
}

/** Leases when all of them do. */
function joined(subject: Subject, predicates: readonly Predicate[]): Predicate | undefined {
  if (predicates.length <= 1) return predicates[0]
  return {
    scope: subject,
    holds: (context) => predicates.every((predicate) => predicate.holds(context)),
    parts: predicates.flatMap(({ parts }) => parts),
    equals: new Map(predicates.flatMap(({ equals }) => [...equals])),
    names: new Set(predicates.flatMap(({ names }) => [...names])),
    matches: predicates.some(({ matches }) => matches),
  }
}

function checkWord(service: Service, field: string, value: unknown, name: string): void {
  const known = wordsOf(service)[field]
  if (!known || known.includes(String(value))) return
  throw new Refusal(
    'INVALID_FIELD',
    `${name}: there is no "${String(value).slice(0, 80)}".${didYouMean(String(value), known)}`,
    { message: 'Invalid field' },
  )
}

function unknown(subject: Subject, name: string, at: string): Refusal {
  const known = ['where', 'since', 'until', ...Object.keys(shorthands[subject])]
  if (subject === 'request') known.push('unread', 'refused')
  return new Refusal(
    'INVALID_FIELD',
    `${at}${name}: is not known for ${subject}; known: ${known.join(', ')}.${didYouMean(name, known)}`,
    { message: 'Invalid field' },
  )
}
