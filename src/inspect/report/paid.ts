/** The payments of a run, by kind, end and reason. */
import { isOpen } from '../../core/lifecycle.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { RunSpan } from '../../core/model/test-run.ts'
import type { World } from '../../core/world.ts'
import { reasonText } from '../explain/reason-of-end.ts'
import { paymentSummary } from '../present.ts'
import { every } from '../questions/every.ts'

const NAMED = 200

export interface OutcomeCount {
  kind: string
  status: string
  open: boolean
  currency: string
  count: number
  amount: number
  /** From the record; null where they ended well, or the rail gives none. */
  code: string | null
  /** The rail's text and its cause; null where they did not end badly. */
  why: string | null
}

export interface NamedPayment {
  uuid: string
  kind: string
  referenceId: string | null
  party: string | null
  amount: number
  currency: string
  status: string
  /** Null where it ended well. */
  reason: string | null
  createdAt: string
}

export type Paid = Awaited<ReturnType<typeof paidIn>>

export async function paidIn(world: World, span: RunSpan) {
  const outcomes = new Map<string, OutcomeCount & { amountMinor: number }>()
  const failed: NamedPayment[] = []
  const byHand: NamedPayment[] = []
  const references = new Map<string, number>()
  let [ended, bad, open] = [0, 0, 0]
  for await (const { payment } of every(world, 'payment', Number.POSITIVE_INFINITY, span.payment)) {
    if (!payment) continue
    const summary = paymentSummary(world.core, payment)
    const { kind, status, currency, reason } = summary
    const isUnderWay = isOpen(status)
    if (payment.referenceId !== null && payment.history[0]?.by === 'request')
      references.set(payment.referenceId, (references.get(payment.referenceId) ?? 0) + 1)
    if (isUnderWay) open++
    else ended++
    if (reason) bad++
    const key = JSON.stringify([kind, status, currency, reason && reasonText(reason)])
    const found = outcomes.get(key) ?? {
      ...{ kind, status, open: isUnderWay, currency, count: 0, amount: 0, amountMinor: 0 },
      ...{ code: reason?.code ?? null, why: reason && reasonText({ ...reason, code: null }) },
    }
    const amountMinor = found.amountMinor + payment.amountMinor
    outcomes.set(key, { ...found, count: found.count + 1, amountMinor, amount: toMajor(amountMinor) })
    if (reason && failed.length < NAMED) failed.push(named(summary))
    if (isForced(payment) && byHand.length < NAMED) byHand.push(named(summary))
  }
  const repeated = [...references.values()].filter((times) => times > 1).length
  return {
    counts: { all: ended + open, well: ended - bad, bad, open, repeated },
    outcomes: [...outcomes.values()]
      .map(({ amountMinor: _, ...outcome }) => outcome)
      .sort((a, b) => a.kind.localeCompare(b.kind) || a.status.localeCompare(b.status) || b.count - a.count),
    failed,
    byHand,
  }
}

function named(summary: ReturnType<typeof paymentSummary>): NamedPayment {
  const { uuid, kind, referenceId, party, amount, currency, status, reason, createdAt } = summary
  const shown = party && [party.name, party.id].filter(Boolean).join(', ')
  return {
    uuid,
    kind,
    referenceId,
    party: shown,
    amount,
    currency,
    status,
    reason: reason && reasonText(reason),
    createdAt,
  }
}

function isForced({ history }: Payment): boolean {
  return history.some(({ by }, i) => i > 0 && by === 'operator')
}
