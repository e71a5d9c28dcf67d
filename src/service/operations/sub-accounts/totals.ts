/** Totals of a sub-account's payments. */
import type { Core } from '../../../core/core.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { countries } from '../../countries/countries.ts'
import type { Totals } from '../wallet/record.ts'

export function totalsOf(core: Core, organisationId: number): Totals {
  const { currency } = countries.home
  const sum = (kind: string) => core.store.payments.total(organisationId, kind, 'SUCCESS', currency)
  const lines = {
    stkCollection: sum('stk'),
    sendMoney: sum('send-money'),
    till: sum('till'),
    paybill: sum('paybill'),
    paybillCollection: 0,
  }
  const collections = lines.stkCollection + lines.paybillCollection
  const payouts = lines.sendMoney + lines.till + lines.paybill
  const netBalance =
    chosen(core)['net-balance'] === 'wallet' ? core.ledger.available(organisationId, currency) : collections - payouts
  return { ...lines, collections, transactions: collections + payouts, netBalance }
}
