/** Carries out effects of a lifecycle: transfers, callbacks, waits. */
import { type Core, kindOf, stamp } from '../core.ts'
import { feesCode, floatCode, fundingCode, railCode } from '../ledger/ledger.ts'
import type { Effect } from '../lifecycle.ts'
import type { DelayName } from '../machines.ts'
import { walletCode } from '../model/account.ts'
import { LANE } from '../model/due.ts'
import { decimalText } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { commonReasons, refused } from '../model/refusal-reasons.ts'
import { waitOfPayment } from '../rail-outcomes.ts'
import { writeCallback } from './outbox.ts'

/** In the machine's order. The caller saves the payment. The only place where effects become writes. */
export function carryOut(core: Core, payment: Payment, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if ('wait' in effect) {
      const afterUs = waitFromNow(core, payment, effect.wait)
      if (afterUs !== null)
        core.store.agenda.add(LANE.steps, core.clock.now() + afterUs, payment.seq, effect.event, payment)
    } else if ('cancel' in effect) {
      core.store.agenda.cancel(LANE.steps, payment.seq, payment, effect.cancel)
    } else {
      effectHandlers[effect.do](core, payment)
    }
  }
}

function waitFromNow({ scenario, clock }: Core, payment: Payment, wait: DelayName): number | null {
  const afterUs = waitOfPayment(payment, wait, scenario.assumptions)
  const bankingUs = wait === 'revise' ? payment.plan.revise?.bankingUs : undefined
  if (afterUs === null || bankingUs === undefined) return afterUs
  return scenario.banking.after(clock.now(), bankingUs, payment.currency) - clock.now()
}

type EffectHandlers = Record<Extract<Effect, { do: unknown }>['do'], (core: Core, payment: Payment) => void>

const effectHandlers: EffectHandlers = {
  reserve: (core, payment) => {
    if (payment.amountMinor === 0) return
    if (kindOf(core, payment).direction === 'out' && core.scenario.assumptions['funds-check'] === 'at-settlement')
      return
    refuseUnlessFeeIsThere(core, payment)
    for (const one of orders(core, payment)) core.ledger.reserve(one)
  },
  post: (core, payment) => {
    if (payment.amountMinor === 0) return
    if (core.ledger.complete(payment.seq, 'post', payment.updatedAtUs) > 0) return
    for (const one of orders(core, payment)) core.ledger.post(one)
  },
  void: (core, payment) => {
    core.ledger.complete(payment.seq, 'void', payment.updatedAtUs)
  },
  reverse: (core, payment) => core.ledger.reverse(payment.seq, payment.updatedAtUs),
  collect: (core, payment) => {
    core.ledger.post(order(core, payment))
  },
  allocate: (core, payment) => {
    core.ledger.post({
      kind: payment.kind,
      debit: walletCode(Number(payment.details['fromOrganisation']), payment.currency),
      credit: walletCode(Number(payment.details['toOrganisation']), payment.currency),
      amountMinor: payment.amountMinor,
      paymentSeq: payment.seq,
      atUs: payment.updatedAtUs,
    })
  },
  notify: writeCallback,
}

function order(core: Core, payment: Payment) {
  const wallet = walletCode(payment.organisationId, payment.currency)
  const { float } = payment.plan
  const rail = float === undefined ? railCode(payment.currency) : floatCode(payment.currency, float)
  const [debit, credit] = kindOf(core, payment).direction === 'in' ? [rail, wallet] : [wallet, rail]
  return {
    kind: payment.kind,
    debit,
    credit,
    amountMinor: payment.amountMinor,
    paymentSeq: payment.seq,
    atUs: payment.updatedAtUs,
  }
}

function orders(core: Core, payment: Payment) {
  const { feeMinor } = payment.plan
  const own = order(core, payment)
  return feeMinor ? [own, { ...own, kind: 'fee', credit: feesCode(payment.currency), amountMinor: feeMinor }] : [own]
}

function refuseUnlessFeeIsThere(
  core: Core,
  { organisationId, currency, amountMinor, plan: { feeMinor } }: Payment,
): void {
  if (!feeMinor) return
  const available = core.ledger.available(organisationId, currency)
  if (available < amountMinor || available >= amountMinor + feeMinor) return
  throw refused(
    commonReasons.fundsShort,
    `amount: ${decimalText(amountMinor)} ${currency} and the fee of ${decimalText(feeMinor)} ${currency} are more than the wallet's ${decimalText(available)} ${currency}`,
    { fields: [{ field: 'amount', message: 'amount and its fee are more than the wallet holds' }] },
  )
}

export function fund(core: Core, organisationId: number, currency: Payment['currency'], amountMinor: number): number {
  return core.ledger.post({
    kind: 'funding',
    debit: fundingCode(currency),
    credit: walletCode(organisationId, currency),
    amountMinor,
    paymentSeq: null,
    atUs: stamp(core),
  })
}
