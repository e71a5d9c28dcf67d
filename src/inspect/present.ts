/** Payments, callbacks, requests and messages, as operators see them. */

import { type Core, kindOf } from '../core/core.ts'
import type { Callback } from '../core/model/callback.ts'
import { describeCallbackFault } from '../core/model/callback-fault.ts'
import { LANE } from '../core/model/due.ts'
import type { InboxMessage } from '../core/model/inbox.ts'
import type { DomainEvent, JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import { maskPath } from '../core/model/mask.ts'
import { toMajor } from '../core/model/money.ts'
import type { JsonObject, Payment, Plan } from '../core/model/payment.ts'
import { textOf } from '../core/model/text.ts'
import { formatDuration, isoInstant } from '../core/model/time.ts'
import { availableMinor, walletCode } from '../core/model/transfer.ts'
import { callbacksPaused } from '../core/world-meta.ts'
import { broughtAbout } from './explain/movements.ts'
import { reasonOfEnd } from './explain/reason-of-end.ts'
import { EvaluationContext } from './predicate.ts'

export function paymentSummary(core: Core, payment: Payment) {
  return {
    uuid: payment.uuid,
    kind: payment.kind,
    id: payment.id,
    status: payment.status,
    amount: toMajor(payment.amountMinor),
    currency: payment.currency,
    organisationId: core.store.organisations.byId(payment.organisationId).uuid,
    referenceId: payment.referenceId,
    party: partyShown(core, payment),
    rule: payment.plan.rule,
    reason: reasonOfEnd(core, payment),
    createdAt: isoInstant(payment.createdAtUs),
    updatedAt: isoInstant(payment.updatedAtUs),
  }
}

function partyShown(core: Core, payment: Payment) {
  const { party } = kindOf(core, payment)
  if (party === null) return null
  const { request, details } = payment
  const text = (field: string | undefined, ...from: JsonObject[]) => {
    const value = field === undefined ? undefined : from.map((one) => one[field]).find((one) => one !== undefined)
    return value === undefined || value === null ? null : textOf(value)
  }
  const id = text(party.field, request)
  return id === null
    ? null
    : { type: party.type, id, bank: text(party.bank, request), name: text(party.name, request, details) }
}

export type PaymentSummary = ReturnType<typeof paymentSummary>

export function record(core: Core, payment: Payment): Record<string, unknown> | null {
  return (kindOf(core, payment).record?.(core, payment) as Record<string, unknown> | undefined) ?? null
}

export function planOf({ plan }: Pick<Payment, 'plan'>) {
  return {
    after: plan.afterUs === null ? 'never' : formatDuration(plan.afterUs),
    end: plan.end,
    with: plan.with,
    revise: plan.revise && revisionOf(plan.revise),
    ...(plan.rails && { rails: plan.rails }),
    ...(plan.feeMinor !== undefined && { fee: toMajor(plan.feeMinor) }),
    ...(plan.answer && { answer: plan.answer }),
    ...(plan.twice && { twice: true }),
    ...((plan.untilPoll !== undefined || plan.untilFunded) && {
      until: {
        ...(plan.untilPoll !== undefined && { poll: plan.untilPoll }),
        ...(plan.untilFunded && { float: plan.float }),
      },
    }),
    ...(plan.callback && {
      callback: { rule: plan.callback.by, does: describeCallbackFault(plan.callback) },
    }),
    pay:
      plan.payAfterUs === null || plan.payAfterUs === undefined
        ? null
        : {
            after: formatDuration(plan.payAfterUs),
            ...(plan.confirmAfterUs !== undefined && {
              confirm: plan.confirmAfterUs === null ? 'never' : formatDuration(plan.confirmAfterUs),
            }),
          },
  }
}

function revisionOf({ afterUs, bankingUs, ...rest }: NonNullable<Plan['revise']>) {
  const after = bankingUs === undefined ? formatDuration(afterUs) : `${formatDuration(bankingUs)} while banks are open`
  return { ...rest, after }
}

export function timeline(core: Core, payment: Payment) {
  return {
    happened: payment.history.map((moment) => ({
      at: isoInstant(moment.atUs),
      event: moment.event,
      status: moment.status,
      by: broughtAbout(moment),
    })),
    due: core.store.agenda
      .of(LANE.steps, payment.seq)
      .map((due) => ({ at: isoInstant(due.dueAtUs), event: due.event.split('.')[2] ?? due.event })),
  }
}

export function transfersOf(core: Core, payment: Payment) {
  const code = new Map(core.ledger.accounts().map((account) => [account.id, account.code]))
  return core.ledger.transfersOf(payment.seq).map((transfer) => ({
    id: transfer.id,
    kind: transfer.kind,
    debit: code.get(transfer.debitAccount),
    credit: code.get(transfer.creditAccount),
    amount: toMajor(transfer.amountMinor),
    state: transfer.state,
    createdAt: isoInstant(transfer.createdAtUs),
    settledAt: transfer.settledAtUs === null ? null : isoInstant(transfer.settledAtUs),
  }))
}

function heldFor({ store }: Core, { state }: Callback) {
  if (state !== 'pending' && state !== 'held') return null
  if (callbacksPaused(store.meta)) return 'resume' as const
  return state === 'held' ? ('next_callback' as const) : null
}

export function callbackSummary(core: Core, callback: Callback) {
  const payment = callback.paymentSeq === null ? undefined : core.store.payments.bySeq(callback.paymentSeq)
  const next = core.store.agenda.of(LANE.deliveries, callback.id)[0]
  const body: Record<string, unknown> = JSON.parse(callback.body)
  // By number, because an event has the callback as it was then.
  const last = callback.attempts === 0 ? undefined : core.store.callbacks.endOfAttempt(callback.id, callback.attempts)
  return {
    id: callback.id,
    uid: callback.uid,
    topic: callback.topic,
    payment: payment?.uuid ?? null,
    about: payment
      ? { referenceId: payment.referenceId, amount: toMajor(payment.amountMinor), currency: payment.currency }
      : null,
    tells: typeof body['status'] === 'string' ? body['status'] : null,
    url: maskPath(callback.url),
    state: callback.state,
    heldFor: heldFor(core, callback),
    attempts: callback.attempts,
    lastAttempt: last ?? null,
    createdAt: isoInstant(callback.createdAtUs),
    settledAt: callback.settledAtUs === null ? null : isoInstant(callback.settledAtUs),
    nextAttemptAt: next ? isoInstant(next.dueAtUs) : null,
    fault: callback.fault && {
      rule: callback.fault.by,
      does: describeCallbackFault(callback.fault),
    },
    body,
  }
}

export function callbackDetail(core: Core, callback: Callback) {
  return {
    ...callbackSummary(core, callback),
    tries: core.store.callbacks.attemptsOf(callback.id).map((attempt) => ({
      number: attempt.number,
      byHand: attempt.byHand,
      sentAt: isoInstant(attempt.sentAtUs),
      tookMs: attempt.tookMs,
      url: attempt.url,
      forwarder: attempt.forwarder,
      headers: attempt.headers,
      status: attempt.status,
      responseBody: attempt.responseBody,
      error: attempt.error,
      diagnosis: attempt.diagnosis,
    })),
  }
}

export type CallbackSummary = ReturnType<typeof callbackSummary>

export function inboxMessage(message: InboxMessage) {
  return {
    id: message.id,
    at: isoInstant(message.atUs),
    headers: message.headers,
    body: asJson(message.body),
    text: message.body,
    answered: message.answered,
    signature: message.signature,
  }
}

export type InboxMessageShown = ReturnType<typeof inboxMessage>

export function requestEntry(core: Core, entry: JournalEntry) {
  return {
    requestId: entry.requestId,
    at: isoInstant(entry.atUs),
    operation: entry.operation,
    method: entry.method,
    path: entry.path,
    organisationId: entry.organisationId === null ? null : core.store.organisations.byId(entry.organisationId).uuid,
    request: { headers: entry.requestHeaders, body: asJson(entry.requestBody) },
    status: entry.status,
    response: asJson(entry.responseBody),
    rule: entry.rule,
    payment: entry.paymentSeq === null ? null : (core.store.payments.bySeq(entry.paymentSeq)?.uuid ?? null),
    unreadFields: entry.notes?.unread ?? [],
    warnings: entry.notes?.warnings ?? [],
    fault: entry.notes?.fault ?? null,
    replayed: entry.notes?.replayed ?? false,
    assumed: entry.notes?.assumed ?? [],
  }
}

export type RequestEntry = ReturnType<typeof requestEntry>

/** With world time, type, and its subject as it was then. The subject is null when it was removed since. */
export function presentDomainEvent(core: Core, domainEvent: DomainEvent) {
  const at = isoInstant(domainEvent.atUs)
  const { payment, callback, message } = EvaluationContext.of(core, domainEvent).seen
  switch (domainEvent.type) {
    case 'payment': {
      const { type, from, to, by } = domainEvent
      return { at, type, payment: payment ? paymentSummary(core, payment) : null, from, to, by }
    }
    case 'callback': {
      const { type, attempt } = domainEvent
      const nextAttemptAt = domainEvent.nextAtUs === null ? null : isoInstant(domainEvent.nextAtUs)
      return { at, type, callback: callback ? { ...callbackSummary(core, callback), nextAttemptAt } : null, attempt }
    }
    case 'request': {
      const { type, requestId, operation, method, path, status, rule } = domainEvent
      return { at, type, request: { requestId, operation, method, path, status, rule } }
    }
    case 'inbox': {
      const { type, name: inbox } = domainEvent
      return { at, type, inbox, message: message ? inboxMessage(message) : null }
    }
    case 'clock': {
      const { type, mode, rate, fromUs } = domainEvent
      return { at, type, clock: { mode, rate, now: at }, from: isoInstant(fromUs) }
    }
    case 'scenario': {
      const { type, name: scenario } = domainEvent
      return { at, type, scenario }
    }
    case 'wallet': {
      const { type, organisationId, currency, amountMinor } = domainEvent
      const account = core.ledger.find(walletCode(organisationId, currency))
      const wallet = {
        organisationId: core.store.organisations.byId(organisationId).uuid,
        currency,
        available: account ? toMajor(availableMinor(account)) : 0,
      }
      return { at, type, wallet, amount: toMajor(amountMinor) }
    }
  }
}
