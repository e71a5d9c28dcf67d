/** Why an entry of the rails never did anything: what came of its kinds, and what it would have taken. */
import { type Core, kindOf } from '../engine/core.ts'
import { SINCE } from '../engine/handlers/clear.ts'
import { decimalText } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { formatInstant } from '../model/time.ts'
import type { RailSort, RailSummary } from '../scenarios/language/summaries.ts'
import type { Nearness } from './idle-rules.ts'

/** So many of the newest payments of its kinds are looked at. */
const COMPARED = 1_000

/** For each of them, the payment that it would have taken least to touch: the largest. */
export function nearestToRails(core: Core, idle: readonly RailSummary[]): Nearness[] {
  return idle.map(({ sort, on }) => {
    const largest = largestOf(core, on)
    if (!largest) return { nearest: null, why: `no ${on.join(' or ')} payment came to the rails` }
    const { uuid, kind, request, createdAtUs, plan } = largest
    return {
      nearest: {
        payment: uuid,
        kind,
        at: formatInstant(createdAtUs),
        request,
        decidedBy: plan.rule,
        held: [],
        missed: [],
      },
      why: reasons[sort](`${decimalText(largest.amountMinor)} ${largest.currency}`, kindOf(core, largest).phrase),
    }
  })
}

function largestOf({ store: { payments, counters } }: Core, kinds: string[]): Payment | undefined {
  return payments
    .page({ kinds }, { limit: COMPARED, newestFirst: true })
    .filter(({ seq }) => seq > counters.current(SINCE.payment))
    .sort((a, b) => b.amountMinor - a.amountMinor)[0]
}

const reasons: Record<RailSort, (amount: string, phrase: string) => string> = {
  limit: (amount, phrase) => `nothing broke it: the largest was ${phrase} of ${amount}`,
  fee: (amount, phrase) => `it charged nothing: the largest was ${phrase} of ${amount}`,
  float: (amount, phrase) => `it always had enough: the largest was ${phrase} of ${amount}`,
  'cut-off': () => 'all payments came while it was open',
  maintenance: () => 'no payment came while it was under maintenance',
}
