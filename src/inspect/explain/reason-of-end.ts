/** Why a payment ended badly: what the rail says, and what or who brought it about. */
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { isOpen } from '../../core/lifecycle.ts'
import type { Moment } from '../../core/model/moments.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { RailSort } from '../../core/model/rule-summaries.ts'
import { endsWell } from '../../core/rail-outcomes.ts'

/** What brings about a bad end. `rule`: as planned; `operator`: forced by hand; `time`: nobody paid, or answered the phone. */
export type EndedBy =
  | 'rule'
  | 'limit'
  | 'float'
  | 'maintenance'
  | 'operator'
  | 'payer'
  | 'merchant'
  | 'card'
  | 'wallet'
  | 'time'

/** Why a payment ended badly. */
export interface EndReason {
  /** As the record has it, such as `NAME_MISMATCH` or `1032`; null where the rail gives none. */
  code: string | null
  /** The rail's own words; null where it has none. */
  says: string | null
  by: EndedBy
  /** The rule, or the entry of the rails; null where none is behind it. */
  name: string | null
  /** In words: `the limit "daily" is broken`. */
  why: string
}

/** Null while it is under way, and when it ended well. */
export function reasonOfEnd(core: Core, payment: Payment): EndReason | null {
  const { status, details } = payment
  if (isOpen(status) || (endsWell(status) && status !== 'EXPIRED')) return null
  const { code, text } = kindOf(core, payment).failure ?? {}
  const told = (field: string | undefined) => {
    const value = field === undefined ? undefined : details[field]
    return value === undefined || value === null ? null : String(value)
  }
  return { code: told(code), says: told(text), ...broughtBy(core, payment) }
}

/** `Beneficiary name does not match (NAME_MISMATCH): the rule "names differ" decided so`. */
export function reasonText({ code, says, why }: EndReason): string {
  const told = says === null ? code : code === null ? says : `${says} (${code})`
  return told === null ? why : `${told}: ${why}`
}

type Cause = Pick<EndReason, 'by' | 'name' | 'why'>

function broughtBy(core: Core, payment: Payment): Cause {
  const { plan, status, details, history } = payment
  const { by, event } = history.all.findLast((moment, i) => changes(history.all, moment, i)) as Moment
  const nobody = { name: null }
  if (by === 'operator') return { ...nobody, by, why: 'forced by hand' }
  if (by === 'payer') return { ...nobody, by, why: 'the payer did not pay' }
  if (by === 'request') return { ...nobody, by: 'merchant', why: 'a request of the merchant ended it' }
  if (event === 'unanswered') return { ...nobody, by: 'time', why: 'nobody answered the prompt on the phone' }
  if (status === 'EXPIRED') return expired(payment)
  if (event === 'revise')
    return { by: 'rule', name: plan.rule, why: `it was taken back, as the rule "${plan.rule}" planned` }
  if (details['declined'] !== undefined)
    return { ...nobody, by: 'card', why: `the bank behind the card said ${details['declined']}` }
  if (endsWell(plan.end)) return { ...nobody, by: 'wallet', why: 'the wallet did not hold the amount when it was due' }
  return railed(core, payment) ?? { by: 'rule', name: plan.rule, why: `the rule "${plan.rule}" decided so` }
}

/** Whether a moment led to another state than the one before it. */
function changes(history: readonly Moment[], { status }: Moment, i: number): boolean {
  return history[i - 1]?.status !== status
}

function expired({ plan }: Payment): Cause {
  if (plan.end !== 'EXPIRED') return { by: 'time', name: null, why: 'nobody paid in time' }
  return { by: 'rule', name: plan.rule, why: `nobody paid in time, as the rule "${plan.rule}" decided` }
}

const railWords: Partial<Record<RailSort, (name: string) => string>> = {
  limit: (name) => `the limit "${name}" is broken`,
  float: (name) => `the float "${name}" has too little left`,
  maintenance: (name) => `the rail is under maintenance, says "${name}"`,
}

/** The entry of the rails that turned a plan into a failure. */
function railed(core: Core, { plan }: Payment): Cause | undefined {
  const name = plan.failedBy
  const sort = name === undefined ? undefined : decidingVersion(core, { plan }).rails[name]
  const words = sort && railWords[sort]
  return words && { by: sort as EndedBy, name: name as string, why: words(name as string) }
}
