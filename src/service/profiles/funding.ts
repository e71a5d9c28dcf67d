/** What a business moves into its wallet, so that there is enough when it pays. */
import { MINUTE_US } from '../../core/model/calendar.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Asked, Collected } from '../parts.ts'
import type { Day } from './usual-days.ts'
import { intoAccount } from './ways-to-pay.ts'

/** More than is known to be needed: for fees, and for what nobody foresaw. */
const RESERVE = 1.05
const RESERVE_SHILLINGS = 2_000
const ROUNDED_TO = 1_000
/** So many payments are looked at before others have their turn. */
const TURN = 5_000
/** Before anybody is paid on that day. */
const AT_US = 6.5 * 60 * MINUTE_US

/** Money from the bank in the morning of these days, the first of them at the beginning, for all payouts in shillings up to the next. */
export function* fundedOn(days: readonly Day[], acts: readonly Asked[]): Generator<void, Collected[]> {
  const starts = days.map(({ atUs }) => atUs + AT_US)
  const needs = new Array<number>(starts.length).fill(0)
  for (const [i, { atUs, kind, request }] of acts.entries()) {
    if (i % TURN === 0) yield
    const pays = ['send-money', 'till', 'paybill', 'bank-payout'].includes(kind)
    if (!pays || (request['currencyCode'] ?? 'KSH') !== 'KSH') continue
    const at = Math.max(0, lastUpTo(starts, atUs))
    needs[at] = (needs[at] ?? 0) + Number(request['amount'])
  }
  return starts.map((atUs, i) => {
    const need = (needs[i] ?? 0) * RESERVE + RESERVE_SHILLINGS
    return intoAccount(atUs, Math.ceil(need / ROUNDED_TO) * ROUNDED_TO, 'Funds for payouts')
  })
}

/** The place of the last start that is not behind an instant; -1 where all are. */
function lastUpTo(starts: readonly InstantUs[], atUs: InstantUs): number {
  let last = -1
  while ((starts[last + 1] ?? Number.POSITIVE_INFINITY) <= atUs) last++
  return last
}
