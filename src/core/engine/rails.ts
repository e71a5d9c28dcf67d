import { type Core, kindOf, type RailsDecision } from '../core.ts'
import { startOfDay, zonedText } from '../model/calendar.ts'
import { type Kind, partyOf } from '../model/kind.ts'
import { decimalText } from '../model/money.ts'
import type { JsonObject, Payment, Plan } from '../model/payment.ts'
import { commonReasons, publishedRefusal, type Reason, refusalAnswer } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import { remaining } from '../rail-outcomes.ts'
import type { RuleRefusal } from '../scenarios/decisions/payment-facts.ts'
import { endOfWindow, nextOpening } from '../scenarios/keys/hours.ts'
import { feeOf, type Limit, type Rails } from '../scenarios/keys/rails.ts'
import type { RefusalAnswer } from '../scenarios/keys/schema-parts.ts'

/** The rail opens after this many turns, if hours and maintenance never leave a gap. */
const MOST_TURNS = 10
type RailRequest = Pick<Payment, 'kind' | 'request' | 'organisationId' | 'currency' | 'amountMinor'>

export function applyRails(core: Core, asked: RailRequest, plan: Plan): RailsDecision {
  const { rails, zone } = core.scenario
  const failed = (name: string, fields: JsonObject) => ({ plan: charged(rails, asked, failing(plan, name, fields)) })
  const closed = ({ name, then, with: fields }: Pick<Rails['float'][number], 'name' | 'then' | 'with'>, why: string) =>
    then === 'refuse' ? { refuse: refusal(commonReasons.railClosed, name, plan, why) } : failed(name, fields)
  for (const one of rails.maintenance) {
    if (!one.on.includes(asked.kind) || one.then === 'hold') continue
    const endUs = endOfWindow(one.window, core.clock.now(), zone.offsetUs)
    if (endUs !== undefined) return closed(one, `the rail is under maintenance until ${zonedText(endUs, zone)}`)
  }
  for (const limit of rails.limits) {
    if (limit.currency !== asked.currency || !limit.on.includes(asked.kind)) continue
    const details = brokenBy(core, limit, asked)
    if (details === undefined) continue
    if (limit.then === 'fail')
      return failed(limit.name, { ...failureFields(kindOf(core, asked), limit.error), ...limit.with })
    const told = limit.error.details === undefined ? { details, field: limit.error.field ?? 'amount' } : {}
    return { refuse: { rule: limit.name, trace: plan.trace, ...limit.error, ...told } }
  }
  const float = rails.float.find(({ on, currency }) => currency === asked.currency && on.includes(asked.kind))
  const leftMinor = float ? remaining(core, float) : 0
  const short = float !== undefined && leftMinor < asked.amountMinor
  if (short && float.then !== 'hold')
    return closed(float, `the float of the rail has ${decimalText(Math.max(0, leftMinor))} ${float.currency} left`)
  if (short) {
    const names = [...(plan.rails ?? []), float.name]
    const waiting: Plan = { ...putOffTelling(plan), float: float.name, untilFunded: true, rails: names }
    return { plan: charged(rails, asked, waiting) }
  }
  const paidFrom = float ? { ...plan, float: float.name } : plan
  return { plan: charged(rails, asked, deferByHours(core, asked, paidFrom)) }
}

/** The fee is part of the plan, because it is reserved with the amount. */
function charged({ fees }: Rails, { kind, currency, amountMinor }: RailRequest, plan: Plan): Plan {
  const due = fees.filter((fee) => fee.currency === currency && fee.on.includes(kind))
  const feeMinor = due.reduce((sum, { tariff }) => sum + feeOf(tariff, amountMinor), 0)
  if (feeMinor === 0) return plan
  return { ...plan, feeMinor, rails: [...(plan.rails ?? []), ...due.map(({ name }) => name)] }
}

export function deferByHours(
  { clock, scenario }: Core,
  { kind, currency }: Pick<Payment, 'kind' | 'currency'>,
  plan: Plan,
): Plan {
  const { afterUs } = plan
  if (afterUs === null) return plan
  const { rails } = scenario
  const hours = rails.cutOff.filter(({ on }) => on.includes(kind))
  const maintenance = rails.maintenance.filter(({ on, then }) => then === 'hold' && on.includes(kind))
  const nowUs = clock.now()
  const zoneUs = scenario.zone.offsetUs
  const names: string[] = []
  let beginUs = nowUs
  const putOff = (toUs: InstantUs, name: string) => {
    if (toUs <= beginUs) return
    beginUs = toUs
    if (!names.includes(name)) names.push(name)
  }
  // A window may end when the rail is closed, and a rail may open into a window: until neither puts it off any more.
  for (let beforeUs = -1, turn = 0; beforeUs !== beginUs && turn < MOST_TURNS; turn++) {
    beforeUs = beginUs
    for (const one of hours) {
      const opening = { ...one, holidays: one.holidays ?? scenario.holidaysOf(currency) }
      putOff(nextOpening(opening, beginUs, zoneUs), one.name)
    }
    for (const { window, name } of maintenance) putOff(endOfWindow(window, beginUs, zoneUs) ?? beginUs, name)
  }
  // A payment that would end within a window ends with it.
  let endUs = beginUs + afterUs
  for (const { window, name } of maintenance) {
    const openUs = endOfWindow(window, endUs, zoneUs)
    if (openUs === undefined) continue
    endUs = openUs
    if (!names.includes(name)) names.push(name)
  }
  if (names.length === 0) return endUs - nowUs === afterUs ? plan : { ...plan, afterUs: endUs - nowUs }
  return { ...putOffTelling(plan), afterUs: endUs - nowUs, rails: [...(plan.rails ?? []), ...names] }
}

/** The end now comes later than the answer, so the callback must too. */
function putOffTelling(plan: Plan): Plan {
  if (!plan.callback?.early) return plan
  const { callback, ...rest } = plan
  const { early: _, by, ...others } = callback
  return Object.keys(others).length > 0 ? { ...rest, callback: { by, ...others } } : rest
}

function refusal(reason: Reason, name: string, plan: Plan, details: string): RuleRefusal {
  return { rule: name, trace: plan.trace, ...refusalAnswer(reason), message: undefined, details }
}

/** A plan that never ends stays so, because a rail that gives no answer reports no failure. */
function failing(plan: Plan, name: string, fields: JsonObject): Plan {
  return {
    ...plan,
    end: 'FAILED',
    with: { ...fields },
    revise: null,
    rails: [...(plan.rails ?? []), name],
    failedBy: name,
  }
}

function brokenBy(core: Core, limit: Limit, asked: RailRequest): string | undefined {
  const { currency, perTransactionMinor, dailyMinor } = limit
  const amount = `${decimalText(asked.amountMinor)} ${currency}`
  if (perTransactionMinor !== undefined && asked.amountMinor > perTransactionMinor)
    return `${amount} is more than the ${decimalText(perTransactionMinor)} ${currency} of one transaction`
  if (dailyMinor === undefined) return undefined
  const party = partyOf(kindOf(core, asked), asked.request)
  const total = spentToday(core, limit, asked, party) + asked.amountMinor
  if (total <= dailyMinor) return undefined
  const whose = { party, organisation: 'this organisation', world: 'everybody' }
  return `${amount} would make ${decimalText(total)} ${currency} today, more than the ${decimalText(dailyMinor)} ${currency} a day of ${whose[limit.per]}`
}

function spentToday(
  core: Core,
  { per, on, currency }: Limit,
  { organisationId }: RailRequest,
  party: string | null,
): number {
  if (per === 'party' && party === null) return 0
  const dayUs = startOfDay(core.clock.now(), core.scenario.zone.offsetUs)
  const by = per === 'party' ? { party: party ?? '' } : per === 'organisation' ? { organisationId } : {}
  return core.store.activity.spent(on, currency, dayUs, by)
}

/** Error fields of the record, as far as the kind has them and they accept the values. */
function failureFields({ failure, fields }: Kind, { code, message }: RefusalAnswer): JsonObject {
  const taken: JsonObject = {}
  const takes = (field: string | undefined) =>
    field !== undefined && (fields[field] === 'text' || fields[field] === 'any') ? field : undefined
  const [codeField, textField] = [takes(failure?.code), takes(failure?.text)]
  if (codeField !== undefined) taken[codeField] = code
  if (textField !== undefined) taken[textField] = message ?? publishedRefusal(code)?.message ?? code
  return taken
}
