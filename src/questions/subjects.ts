/** What questions can be about, and what they can name. */
import { domainEventTypes } from '../engine/domain-events.ts'
import { statesOf } from '../lifecycle/lifecycle.ts'
import { callbackStates } from '../model/callback.ts'
import { signatureStates } from '../model/signature.ts'
import type { Service } from '../model/simulated-service.ts'
import { buildEnvironment, type ConditionEnvironment } from '../scenarios/language/expressions.ts'
import { loadedLibraries } from '../scenarios/language/loaded-libraries.ts'
import type { Variable } from '../scenarios/language/vocabulary.ts'
import {
  CallbackValue,
  callbackFields,
  EventValue,
  eventFields,
  MessageValue,
  messageFields,
  PaymentValue,
  PendingValue,
  paymentFields,
  pendingFields,
  RequestValue,
  requestFields,
} from './values.ts'

/** What can be waited for, looked for and verified. */
export const subjects = ['payment', 'callback', 'request', 'inbox'] as const
export type Subject = (typeof subjects)[number]

/** Besides those: something that happened, and the same where a breakpoint looks at it. */
export type Scope = Subject | 'event' | 'breakpoint'

const payment: Variable = { name: 'payment', fields: paymentFields, create: PaymentValue }
const callback: Variable = { name: 'callback', fields: callbackFields, create: CallbackValue }
const request: Variable = { name: 'request', fields: requestFields, create: RequestValue }
const message: Variable = { name: 'message', fields: messageFields, create: MessageValue }
const event: Variable = { name: 'event', fields: eventFields, create: EventValue }
const pending: Variable = { name: 'pending', fields: pendingFields, create: PendingValue }

const now = 'google.protobuf.Timestamp'
/** `body` is that of the callback, the request or the message. */
const nowAndBody = { now, body: 'dyn' }
const build: Record<Scope, () => ConditionEnvironment> = {
  payment: () => buildEnvironment(loadedLibraries, [payment], { now }),
  callback: () => buildEnvironment(loadedLibraries, [callback, payment], nowAndBody),
  request: () => buildEnvironment(loadedLibraries, [request, payment], nowAndBody),
  inbox: () => buildEnvironment(loadedLibraries, [message], nowAndBody),
  event: () => buildEnvironment(loadedLibraries, [event, payment, callback, request, message], nowAndBody),
  breakpoint: () =>
    buildEnvironment(loadedLibraries, [event, payment, callback, request, message, pending], nowAndBody),
}

/** Built on first use and never changed after. */
const environments = new Map<Scope, ConditionEnvironment>()

/** What a question of a scope can name. */
export function environmentOf(scope: Scope): ConditionEnvironment {
  const known = environments.get(scope)
  if (known) return known
  const made = build[scope]()
  environments.set(scope, made)
  return made
}

/** Fields that have one of a few words, by the names that questions use. Others than these would never hold. */
export function wordsOf({ kinds, countries, operations }: Service): Readonly<Record<string, readonly string[]>> {
  return {
    'payment.kind': kinds.names,
    'payment.currency': countries.currencies,
    'payment.status': [...new Set([...kinds].flatMap(statesOf))],
    'callback.state': callbackStates,
    'request.operation': operations.map(({ id }) => id),
    'message.signature': signatureStates,
    'event.type': domainEventTypes,
  }
}
