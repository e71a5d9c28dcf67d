/** Totals of a sub-account's payments. */
import type { Core } from '../../../core/core.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { countries } from '../../countries/countries.ts'
import type { Totals } from '../wallet/record.ts'

export function totalsOf(core: Core, organisationId: number): Totals {
  const assumptions = chosen(core)
  const { currency } = countries.home
  const sum = (kind: string, status = 'SUCCESS') => core.store.payments.total(organisationId, kind, status, currency)
  const all = assumptions['breakdown-totals'] === 'all-money'
  const lines = {
    stkCollection: sum('stk'),
    sendMoney: sum('send-money'),
    till: sum('till'),
    paybill: sum('paybill'),
    paybillCollection: 0,
  }
  const collections =
    lines.stkCollection + lines.paybillCollection + (all ? sum('bank-collection') + sum('checkout', 'SUCCEEDED') : 0)
  const payouts = lines.sendMoney + lines.till + lines.paybill + (all ? sum('bank-payout') : 0)
  const netBalance =
    assumptions['net-balance'] === 'wallet' ? core.ledger.available(organisationId, currency) : collections - payouts
  return { ...lines, collections, transactions: collections + payouts, netBalance }
}
