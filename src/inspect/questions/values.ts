/** Values that conditions see. Fields are read on demand, and a missing one never makes a comparison throw. */

import type { Core } from '../../core/core.ts'
import type { Callback } from '../../core/model/callback.ts'
import { LANE } from '../../core/model/due.ts'
import type { InboxMessage } from '../../core/model/inbox.ts'
import type { DomainEvent, JournalEntry } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import { rowVariable } from '../../core/vocabulary.ts'

const MOMENT = 'google.protobuf.Timestamp'

export const paymentVariable = rowVariable<Payment, Core>('payment', {
  uuid: ['string', ({ uuid }) => uuid],
  kind: ['string', ({ kind }) => kind],
  status: ['string', ({ status }) => status],
  amount: ['double', ({ amountMinor }) => toMajor(amountMinor)],
  currency: ['string', ({ currency }) => currency],
  organisationId: ['string', ({ organisationId }, { store }) => store.organisations.byId(organisationId).uuid],
  referenceId: ['string', ({ referenceId }) => referenceId],
  rule: ['string', ({ plan }) => plan.rule],
  callbackUrl: ['string', ({ callbackUrl }) => callbackUrl],
  createdAt: [MOMENT, ({ createdAtUs }) => moment(createdAtUs)],
  updatedAt: [MOMENT, ({ updatedAtUs }) => moment(updatedAtUs)],
  request: ['dyn', ({ request }) => request],
  details: ['dyn', ({ details }) => details],
})

/** As of the moment when it was looked at, because attempts may follow. */
function lastAttempt({ id, attempts }: Callback, { store }: Core) {
  return attempts === 0 ? undefined : store.callbacks.attemptsOf(id)[attempts - 1]
}

export const callbackVariable = rowVariable<Callback, Core>('callback', {
  id: ['double', ({ id }) => id],
  uid: ['string', ({ uid }) => uid],
  topic: ['string', ({ topic }) => topic],
  url: ['string', ({ url }) => url],
  state: ['string', ({ state }) => state],
  attempts: ['double', ({ attempts }) => attempts],
  lastStatus: ['double', (callback, core) => lastAttempt(callback, core)?.status],
  lastError: ['string', (callback, core) => lastAttempt(callback, core)?.error],
  createdAt: [MOMENT, ({ createdAtUs }) => moment(createdAtUs)],
  settledAt: [MOMENT, ({ settledAtUs }) => moment(settledAtUs)],
  body: ['dyn', ({ body }) => jsonOrText(body), ''],
})

/** A journal entry. `path` has no query. `unread`: fields that nothing read. `assumed`: assumptions that decided. */
export const requestVariable = rowVariable<JournalEntry, Core>('request', {
  requestId: ['string', ({ requestId }) => requestId],
  operation: ['string', ({ operation }) => operation],
  method: ['string', ({ method }) => method],
  path: ['string', ({ path }) => path.split('?', 1)[0]],
  query: ['dyn', ({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))],
  headers: ['dyn', ({ requestHeaders }) => requestHeaders],
  body: ['dyn', ({ requestBody }) => jsonOrText(requestBody), ''],
  status: ['double', ({ status }) => status],
  response: ['dyn', ({ responseBody }) => jsonOrText(responseBody), ''],
  rule: ['string', ({ rule }) => rule],
  organisationId: [
    'string',
    ({ organisationId: id }, { store }) => (id === null ? '' : store.organisations.byId(id).uuid),
  ],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
  unread: ['list<string>', ({ notes }) => notes?.unread],
  warnings: ['list<string>', ({ notes }) => notes?.warnings],
  fault: ['string', ({ notes }) => notes?.fault],
  replayed: ['bool', ({ notes }) => notes?.replayed],
  assumed: ['list<string>', ({ notes }) => notes?.assumed],
})

export const messageVariable = rowVariable<InboxMessage, Core>('message', {
  id: ['double', ({ id }) => id],
  name: ['string', ({ name }) => name],
  headers: ['dyn', ({ headers }) => headers],
  body: ['dyn', ({ body }) => jsonOrText(body), ''],
  answered: ['string', ({ answered }) => answered],
  signature: ['string', ({ signature }) => signature],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
})

export const eventVariable = rowVariable<DomainEvent, Core>('event', {
  type: ['string', ({ type }) => type],
  from: ['string', (event) => (event.type === 'payment' ? event.from : '')],
  to: ['string', (event) => (event.type === 'payment' ? event.to : event.type === 'callback' ? event.state : '')],
  by: ['string', (event) => (event.type === 'payment' ? event.by : '')],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
})

export const pendingVariable = rowVariable<Core, Core>('pending', {
  payments: ['double', ({ store }) => store.agenda.subjects(LANE.steps)],
  callbacks: ['double', ({ store }) => store.agenda.subjects(LANE.deliveries)],
})

function moment(atUs: InstantUs | null): Date {
  return new Date(Math.floor((atUs ?? 0) / 1000))
}

function jsonOrText(body: string | null): unknown {
  return body === null ? '' : asJson(body)
}
