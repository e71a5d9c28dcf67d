import * as z from 'zod'
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { isOpen, isPaid } from '../../core/lifecycle.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { type Hint, hintOf } from '../../core/model/problems.ts'
import type { RailSort } from '../../core/model/rule-summaries.ts'
import { formatDuration, type InstantUs } from '../../core/model/time.ts'
import { endsWell } from '../../core/rail-outcomes.ts'
import type { World } from '../../core/world.ts'
import { type AnswerOf, shape } from '../view.ts'

export const endReasonShape = shape('EndReason', () =>
  z.object({
    code: z.string().nullable().describe('As in the record, such as `1032`; null where the rail gives none.'),
    says: z.string().describe('In plain words: those of the rail, or what happened where it has none.'),
    /** `rule`: as planned. `operator`: forced. `time`: nobody paid or answered the phone. */
    by: z.enum(['card', 'float', 'limit', 'maintenance', 'merchant', 'operator', 'payer', 'rule', 'time', 'wallet']),
    name: z.string().nullable().describe('The rule, or the entry of the rails; null where none is behind it.'),
    why: z.string().nullable().describe('The cause; null for a rule, and where `says` tells it.'),
  }),
)
type EndReason = AnswerOf<typeof endReasonShape>
type EndedBy = EndReason['by']

export const endings = ['succeeded', 'failed', 'open'] as const

export function endingOfStatus(status: string): (typeof endings)[number] {
  if (isOpen(status)) return 'open'
  return isPaid(status) ? 'succeeded' : 'failed'
}

export function reasonOfEnd(core: Core, payment: Payment): EndReason | null {
  const { status, details } = payment
  if (endingOfStatus(status) !== 'failed') return null
  const { code: codeField, text, words } = kindOf(core, payment).failure ?? {}
  const detailText = (field: string | undefined) => {
    const value = field === undefined ? undefined : details[field]
    return value === undefined || value === null || value === '' ? null : String(value)
  }
  const { says, why, ...cause } = causeOf(core, payment)
  const code = detailText(codeField)
  const ofRail = detailText(text)
  if (ofRail !== null) return { code, says: ofRail, ...cause, why: why ?? (cause.by === 'rule' ? null : lowered(says)) }
  return { code, says: words?.[code ?? ''] ?? says, ...cause, why }
}

export function reasonText({ code, says, by, name, why }: EndReason): string {
  const because = by === 'rule' ? `the rule "${name}" decided so` : why
  return `${says}${code === null ? '' : ` (${code})`}${because === null ? '' : `: ${because}`}`
}

type Cause = Pick<EndReason, 'by' | 'name' | 'says' | 'why'>

function causeOf(core: Core, payment: Payment): Cause {
  const { plan, status, details, history } = payment
  const { by, event } = must(history.findLast(({ status: now }, i) => history[i - 1]?.status !== now))
  const of = (by: EndedBy, says: string): Cause => ({ by, name: null, says, why: null })
  const ofRule = (says: string): Cause => ({ by: 'rule', name: plan.rule, says, why: null })
  if (by === 'operator') return of('operator', 'Forced by hand')
  if (by === 'payer') return of('payer', event === 'CANCEL' ? 'The payer cancelled it' : 'The payer did not pay')
  if (by === 'request') return of('merchant', 'A request of the merchant cancelled it')
  if (event === 'unanswered') return of('time', 'Nobody answered the prompt on the phone')
  if (status === 'EXPIRED')
    return plan.end === 'EXPIRED' ? ofRule('Nobody paid in time') : of('time', 'Nobody paid in time')
  if (event === 'revise') return ofRule('The rail took it back after it had succeeded')
  if (details['declined'] !== undefined) return of('card', 'The bank behind the card did not approve it')
  if (endsWell(plan.end)) return of('wallet', 'The wallet did not hold the amount when it was due')
  return ofRails(core, payment) ?? ofRule('The rail failed it and gave no reason')
}

/** Says of an entry of the rails what it met. */
export const railWords: Readonly<Record<Exclude<RailSort, 'fee'>, (name: string) => string>> = {
  limit: (name) => `The limit "${name}" is broken`,
  float: (name) => `The float "${name}" has too little left`,
  'cut-off': (name) => `The rail is closed, says "${name}"`,
  maintenance: (name) => `The rail is under maintenance, says "${name}"`,
}

function ofRails(core: Core, { plan }: Payment): Cause | undefined {
  const name = plan.failedBy
  const by = name === undefined ? undefined : decidingVersion(core, { plan }).rails[name]
  if (name === undefined || by === undefined || by === 'fee' || by === 'cut-off') return undefined
  return { by, name, says: railWords[by](name), why: null }
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

export const waitingFor = ['float', 'nothing', 'operator', 'payer', 'reads', 'receiver', 'time'] as const

export interface Reason {
  waitsFor: (typeof waitingFor)[number]
  dueAtUs?: InstantUs
  why: string
  next: (string | Hint)[]
}

export function moveTime({ core: { clock } }: World, toUs: InstantUs): Hint {
  // Rounded up to whole milliseconds, the smallest unit of durations.
  const worldUs = Math.max(0, Math.ceil((toUs - clock.now()) / 1000) * 1000)
  const frozen = clock.mode === 'frozen'
  const words = frozen
    ? 'Move the clock, which stands still: {}'
    : `Wait ${formatDuration(worldUs / clock.rate)}, or move the clock: {}`
  return hintOf(words, 'clock.advance', { by: formatDuration(worldUs) })
}
