/** The commands by which a payer pays or leaves a checkout session. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, kindOf } from '../../core.ts'
import { emitPaymentEvent } from '../../emit-events.ts'
import { step } from '../../lifecycle.ts'
import type { JsonObject } from '../../model/payment.ts'
import { Refusal } from '../../model/refusal.ts'
import { find, illegal, keep, signalPayment, takeStep } from './step-payment.ts'

export function paySession(core: Core, { uuid, by, ...paid }: Command<'pay-session'>): CommandResult<'pay-session'> {
  const payment = find(core, uuid)
  const kind = kindOf(core, payment)
  const session = kind.page?.details(payment.request)
  const offered = session?.methods
  if (!offered?.includes(paid.method)) throw notOffered(paid.method, offered)
  const challenged = paid.card?.outcome === 'challenge'
  const event = `PAY_${paid.method}${challenged ? '_CHALLENGE' : ''}`
  const next = step(kind, payment.status, event, { endsWell: true })
  if (!next) throw illegal(core, payment, `does not accept ${event}`)
  const details: JsonObject = { method: paid.method }
  if (paid.card) {
    const { outcome, brand, last4 } = paid.card
    details['card'] = { brand, last4 }
    if (challenged) details['challenge'] = 'asked'
    else if (outcome !== 'approved') details['declined'] = outcome
  }
  const phone = core.service.countries.internationalPhone(paid.phone ?? session?.phone ?? '')
  if (paid.method === 'MPESA_STK' && phone !== '') {
    details['phoneNumber'] = phone
    core.store.payments.setParty(payment.seq, phone)
  }
  return takeStep(core, payment, event, next, by, details)
}

export function leaveSession(core: Core, { uuid }: Command<'leave-session'>): CommandResult<'leave-session'> {
  if (core.scenario.assumptions['checkout-cancel'] === 'fails')
    return signalPayment(core, { command: 'signal-payment', uuid, event: 'CANCEL', by: 'payer' })
  const payment = find(core, uuid)
  if (payment.status !== 'PENDING') throw illegal(core, payment, 'can no longer be cancelled by its payer')
  if (payment.history.at(-1)?.event === 'leave') return payment
  keep(core, payment, 'leave', 'payer')
  emitPaymentEvent(core, payment, payment.status, 'payer')
  return payment
}

function notOffered(method: string, offered: readonly string[] | undefined): Refusal {
  const ways = offered ? `expected ${offered.join(' or ')}` : 'expected a checkout session'
  return new Refusal('METHOD_NOT_OFFERED', `method: ${ways}, got "${method.slice(0, 40)}"`)
}
