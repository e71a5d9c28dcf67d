/** Domain events as streams and lists show them. */
import type { Core } from '../engine/core.ts'
import type { DomainEvent } from '../engine/domain-events.ts'
import { availableMinor } from '../ledger/account.ts'
import { walletCode } from '../ledger/ledger.ts'
import { toMajor } from '../model/money.ts'
import { formatInstant } from '../model/time.ts'
import { EvaluationContext } from '../questions/evaluation-context.ts'
import { callbackSummary, inboxMessage, paymentSummary } from './present.ts'

/**
 * A domain event as streams and lists show it: when by the world's clock, of what type, and what it is about as it was
 * then. What was removed since is null.
 */
export function presentDomainEvent(core: Core, domainEvent: DomainEvent) {
  const at = formatInstant(domainEvent.atUs)
  const { payment, callback, message } = EvaluationContext.of(core, domainEvent).seen
  switch (domainEvent.type) {
    case 'payment': {
      const { type, from, to, by } = domainEvent
      return { at, type, payment: payment ? paymentSummary(core, payment) : null, from, to, by }
    }
    case 'callback': {
      const { type, attempt } = domainEvent
      const nextAttemptAt = domainEvent.nextAtUs === null ? null : formatInstant(domainEvent.nextAtUs)
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
      return { at, type, clock: { mode, rate, now: at }, from: formatInstant(fromUs) }
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

export type PresentedDomainEvent = ReturnType<typeof presentDomainEvent>
