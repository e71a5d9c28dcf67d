/** Explains transitions of a payment and movements of its money. */
import type { Core } from '../../core/core.ts'
import type { Moment } from '../../core/model/moments.ts'
import { moneyText, toMajor } from '../../core/model/money.ts'
import { isRecord } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { Transfer } from '../../core/model/transfer.ts'
import { endsWell } from '../../core/rail-outcomes.ts'

export function transitionLinks(payment: Payment) {
  return payment.history.map((moment, i) => {
    const before = payment.history[i - 1]
    return {
      at: isoInstant(moment.atUs),
      station: 'transition' as const,
      text: moved(payment, before, moment),
      event: moment.event,
      from: before?.status ?? null,
      to: moment.status,
      by: broughtAbout(moment),
    }
  })
}

function moved({ plan, details }: Payment, before: Moment | undefined, moment: Moment): string {
  const { event, status, by, detail } = moment
  if (!before) return `It began as ${status}`
  if (detail !== undefined) return `It stays ${status}: ${event} was planned, ${prevented(moment)}`
  if (event === 'funded') return `It stays ${status}: its float holds the amount now, and the rail takes it up`
  if (event === 'ignore') return `It stays ${status}: the payer put the phone with the prompt aside`
  if (event === 'hold') return `It stays ${status}: somebody has the phone with the prompt open, so it waits longer`
  if (event === 'leave') return `It stays ${status}: the payer cancelled on the page and went back to the merchant`
  const way = before.status === status ? status : `${before.status} to ${status}`
  if (by === 'plan' && event === 'settle' && details['declined'] !== undefined)
    return `${way}: the bank behind the card said ${details['declined']}`
  if (by === 'plan' && event === 'settle' && endsWell(plan.end) && !endsWell(status))
    return `${way}: ${plan.end} was planned, but the wallet did not hold the amount when it was due`
  const whose: Record<string, string> = {
    plan: 'as planned',
    operator: 'forced by hand',
    payer: 'by the payer',
    request: 'by a request of the merchant',
  }
  const card = event.startsWith('PAY_CARD') && isRecord(details['card']) ? details['card'] : undefined
  return `${way}: ${event}, ${whose[by] ?? `by ${by}`}${card ? `, with a ${card['brand']} that ends in ${card['last4']}` : ''}`
}

export function broughtAbout(moment: Pick<Moment, 'by' | 'detail'>): string {
  return moment.detail === undefined ? moment.by : `${moment.by}, ${prevented(moment)}`
}

function prevented({ detail }: Pick<Moment, 'detail'>): string {
  if (detail === 'wallet_exhausted') return 'but the wallet no longer holds it'
  return `but the second time was refused: ${detail}`
}

export function transferLinks(core: Core, payment: Payment) {
  const code = new Map(core.ledger.accounts().map((account) => [account.id, account.code]))
  return core.ledger.transfersOf(payment.seq).flatMap((transfer) => {
    const steps = stepsOf(transfer)
    return steps.map(({ atUs, step }) => ({
      at: isoInstant(atUs),
      station: 'transfer' as const,
      text: `${words(transfer, step)} ${moneyText(transfer.amountMinor, payment.currency)}: ${code.get(transfer.debitAccount)} to ${code.get(transfer.creditAccount)}`,
      id: transfer.id,
      kind: transfer.kind,
      step,
      debit: code.get(transfer.debitAccount) ?? null,
      credit: code.get(transfer.creditAccount) ?? null,
      amount: toMajor(transfer.amountMinor),
    }))
  })
}

type TransferStep = 'reserve' | 'post' | 'void'

function stepsOf({ createdAtUs, settledAtUs, state }: Transfer): { atUs: number; step: TransferStep }[] {
  const end: TransferStep = state === 'voided' ? 'void' : 'post'
  if (settledAtUs === null) return [{ atUs: createdAtUs, step: 'reserve' }]
  if (settledAtUs === createdAtUs) return [{ atUs: settledAtUs, step: end }]
  return [
    { atUs: createdAtUs, step: 'reserve' },
    { atUs: settledAtUs, step: end },
  ]
}

function words({ kind }: Transfer, step: TransferStep): string {
  const verb = { reserve: 'Reserved', post: kind === 'reversal' ? 'Took back' : 'Moved', void: 'Let go of' }[step]
  return kind === 'fee' ? `${verb} the fee of` : verb
}
