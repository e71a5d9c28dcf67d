import type { Core } from '../engine/core.ts'
import type { Happening } from '../engine/happening.ts'
import { availableMinor } from '../ledger/account.ts'
import { walletCode } from '../ledger/ledger.ts'
import { toMajor } from '../model/money.ts'
import { formatInstant } from '../model/time.ts'
import { Sighting } from '../questions/sighting.ts'
import { callbackSummary, inboxMessage, paymentSummary } from './present.ts'

/**
 * A happening as streams and lists show it: when by the world's clock, of what type, and what it is about as it was
 * then. What was removed since is null.
 */
export function presentHappening(core: Core, happening: Happening) {
  return { at: formatInstant(happening.atUs), type: happening.type, ...about(core, happening) }
}

function about(core: Core, happening: Happening): object {
  const { payment, callback, message } = Sighting.of(core, happening).seen
  switch (happening.type) {
    case 'payment': {
      const { from, to, by } = happening
      return { payment: payment ? paymentSummary(core, payment) : null, from, to, by }
    }
    case 'callback': {
      const nextAttemptAt = happening.nextAtUs === null ? null : formatInstant(happening.nextAtUs)
      return {
        callback: callback ? { ...callbackSummary(core, callback), nextAttemptAt } : null,
        attempt: happening.attempt,
      }
    }
    case 'request': {
      const { requestId, operation, method, path, status, rule } = happening
      return { request: { requestId, operation, method, path, status, rule } }
    }
    case 'inbox':
      return {
        inbox: happening.name,
        message: message ? inboxMessage(message) : null,
      }
    case 'clock': {
      const { mode, rate, atUs, fromUs } = happening
      return { clock: { mode, rate, now: formatInstant(atUs) }, from: formatInstant(fromUs) }
    }
    case 'scenario':
      return { scenario: happening.name }
    case 'wallet': {
      const { organisationId, currency, amountMinor } = happening
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
