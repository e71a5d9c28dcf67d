/** What most answers are wrapped in, and lists of any length. */

import type { Core } from '../engine/core.ts'
import type { Answer } from '../http/operation.ts'
import type { Organisation, Payment } from '../model/payment.ts'
import type { PaymentFilter } from '../store/payment-table.ts'
import { chosen } from './assumptions.ts'
import { visibleTo } from './find.ts'

/** `{"status":200,"message":…,"data":…}` */
export function enveloped(status: number, message: string, data: unknown): Answer {
  return { status, body: { status, message, data } }
}

/** Lists up to this many are answered at once; longer ones are streamed. */
const AT_ONCE_MAX = 500

/** All payments of a kind, presented one by one, in an envelope. Order and scope are assumptions. */
export function listed(
  core: Core,
  message: string,
  filter: { kind: string; owner: Organisation },
  present: (payment: Payment) => unknown,
): Answer {
  const own = chosen(core)['list-scope'] === 'own'
  const organisationIds = own ? [filter.owner.id] : visibleTo(core, filter.owner)
  return listedWhere(core, message, { kinds: [filter.kind], organisationIds }, present)
}

/** The list of all payments that a filter describes. */
export function listedWhere(
  core: Core,
  message: string,
  wanted: PaymentFilter,
  present: (payment: Payment) => unknown,
): Answer {
  const newestFirst = chosen(core)['list-order'] === 'newest-first'
  const { payments } = core.store
  const first = payments.page(wanted, { limit: AT_ONCE_MAX, newestFirst })
  if (first.length < AT_ONCE_MAX) return enveloped(200, message, first.map(present))
  const items = function* () {
    for (const payment of payments.each(wanted, newestFirst)) yield present(payment)
  }
  return {
    status: 200,
    list: { before: `{"status":200,"message":${JSON.stringify(message)},"data":[`, items: items(), after: ']}' },
  }
}
