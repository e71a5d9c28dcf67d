/** Whether a payment breaks a limit of the rails, or meets one that was broken and still holds. */
import { type Core, kindOf } from '../core.ts'
import { DAY_US, startOfDay, zonedText } from '../model/calendar.ts'
import type { Kind } from '../model/kind.ts'
import { decimalText } from '../model/money.ts'
import { partyOf } from '../model/party.ts'
import type { JsonObject, Payment } from '../model/payment.ts'
import { type LastingLimit, publishedRefusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import type { Limit } from '../scenarios/language/rails.ts'
import type { RefusalAnswer } from '../scenarios/language/refuse-schema.ts'

type Asked = Pick<Payment, 'kind' | 'request' | 'organisationId' | 'currency' | 'amountMinor'>

export interface BrokenLimit {
  details: string
  lasting?: LastingLimit
}

export function brokenLimit(core: Core, limit: Limit, asked: Asked): BrokenLimit | undefined {
  const { lasts } = limit
  const nowUs = core.clock.now()
  const { offsetUs } = core.scenario.zone
  const counter = `limit:${limit.name}:${subjectOf(core, limit, asked) ?? ''}`
  const untilUs = lasts === undefined ? 0 : core.store.counters.current(counter)
  if (nowUs < untilUs)
    return {
      details: `the limit was reached before, and nothing passes until ${zonedText(untilUs, core.scenario.zone)}`,
    }
  const details = brokenBy(core, limit, asked)
  if (details === undefined) return undefined
  return lasts === undefined ? { details } : { details, lasting: { counter, untilUs: endOf(lasts, nowUs, offsetUs) } }
}

function endOf(lasts: NonNullable<Limit['lasts']>, nowUs: InstantUs, offsetUs: number): InstantUs {
  return lasts === 'day' ? startOfDay(nowUs, offsetUs) + DAY_US : nowUs + lasts
}

function subjectOf(core: Core, { per }: Limit, asked: Asked): string | null {
  if (per === 'world') return ''
  return per === 'organisation' ? String(asked.organisationId) : partyOf(kindOf(core, asked), asked.request)
}

function brokenBy(core: Core, limit: Limit, asked: Asked): string | undefined {
  const { currency, perTransactionMinor, dailyMinor } = limit
  const amount = `amount: ${decimalText(asked.amountMinor)} ${currency}`
  if (perTransactionMinor !== undefined && asked.amountMinor > perTransactionMinor)
    return `${amount} is more than the ${decimalText(perTransactionMinor)} ${currency} of one transaction`
  if (dailyMinor === undefined) return undefined
  const usedMinor = core.usage.of(limit, asked, core.scenario, core.clock.now())
  const total = usedMinor + asked.amountMinor
  if (total <= dailyMinor) return undefined
  const whose = {
    party: subjectOf(core, limit, asked),
    organisation: 'this organisation',
    world: 'everybody',
  }
  return `${amount} would make ${decimalText(total)} ${currency} today, more than the ${decimalText(dailyMinor)} ${currency} a day of ${whose[limit.per]}`
}

/** Error fields of the record, as far as the kind has them and they accept the values. */
export function failureFields({ failure, fields }: Kind, { code, message }: RefusalAnswer): JsonObject {
  const taken: JsonObject = {}
  const takes = (field: string | undefined) =>
    field !== undefined && (fields[field] === 'text' || fields[field] === 'any') ? field : undefined
  const [codeField, textField] = [takes(failure?.code), takes(failure?.text)]
  if (codeField !== undefined) taken[codeField] = code
  if (textField !== undefined) taken[textField] = message ?? publishedRefusal(code)?.message ?? code
  return taken
}
