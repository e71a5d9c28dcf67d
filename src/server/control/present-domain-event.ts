import type { Core } from '../../engine/core.ts'
import type { DomainEvent } from '../../engine/domain-events.ts'
import { availableMinor } from '../../ledger/account.ts'
import { walletCode } from '../../ledger/ledger.ts'
import { toMajor } from '../../model/money.ts'
import { formatInstant } from '../../model/time.ts'
import { EvaluationContext } from '../../questions/evaluation-context.ts'
import { callbackSummary, inboxMessage, paymentSummary } from './present.ts'

/**
 * A domain event as streams and lists show it: when by the world's clock, of what type, and what it is about as it was
 * then. What was removed since is null.
 */
export function presentDomainEvent(core: Core, domainEvent: DomainEvent) {
  return { at: formatInstant(domainEvent.atUs), type: domainEvent.type, ...about(core, domainEvent) }
}

function about(core: Core, domainEvent: DomainEvent): object {
  const { payment, callback, message } = EvaluationContext.of(core, domainEvent).seen
  switch (domainEvent.type) {
    case 'payment': {
      const { from, to, by } = domainEvent
      return { payment: payment ? paymentSummary(core, payment) : null, from, to, by }
    }
    case 'callback': {
      const nextAttemptAt = domainEvent.nextAtUs === null ? null : formatInstant(domainEvent.nextAtUs)
      return {
        callback: callback ? { ...callbackSummary(core, callback), nextAttemptAt } : null,
        attempt: domainEvent.attempt,
      }
    }
    case 'request': {
      const { requestId, operation, method, path, status, rule } = domainEvent
      return { request: { requestId, operation, method, path, status, rule } }
    }
    case 'inbox':
      return {
        inbox: domainEvent.name,
        message: message ? inboxMessage(message) : null,
      }
    case 'clock': {
      const { mode, rate, atUs, fromUs } = domainEvent
      return { clock: { mode, rate, now: formatInstant(atUs) }, from: formatInstant(fromUs) }
    }
    case 'scenario':
      return { scenario: domainEvent.name }
    case 'wallet': {
      const { organisationId, currency, amountMinor } = domainEvent
      const account = core.ledger.find(walletCode(organisationId, currency))
      return {
        wallet: {
          organisationId: core.store.organisations.byId(organisationId).uuid,
          currency,
          available: account ? toMajor(availableMinor(account)) : 0,
        },
        amount: toMajor(amountMinor),
      }
    }
  }
}
