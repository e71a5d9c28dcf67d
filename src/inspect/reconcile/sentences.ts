/** Puts differences into the words of their records. */
import type { Zone } from '../../core/model/calendar.ts'
import { toMajor } from '../../core/model/money.ts'
import { capital } from '../../core/model/problems.ts'
import { type Finding, type FindingCode, findingRecords } from '../finding.ts'
import type { BooksDifference } from './compare.ts'
import type { FindingRecord } from './findings/finding-record.ts'

type About = Omit<Finding, 'code' | 'level' | 'text' | 'todo'>
type FactsOf<Code extends FindingCode> = Parameters<(typeof findingRecords)[Code]['sentence']>[0]

export function tell<Code extends FindingCode>(
  code: Code,
  facts: FactsOf<Code>,
  zone: Zone,
  about: About = {},
  doubtful = false,
): Finding {
  const { level, todo, sentence } = findingRecords[code] as FindingRecord<FactsOf<Code>>
  return { code, level: doubtful ? 'warning' : level, ...about, text: capital(sentence(facts, zone)), todo }
}

export function told(difference: BooksDifference, zone: Zone): Finding {
  const { code, line, payment, other, doubtful } = difference
  const reference = line?.reference ?? payment?.reference ?? undefined
  const requestId = payment?.uuid ?? line?.requestId
  const kind = payment?.kind ?? line?.kind
  const about = {
    ...(reference !== undefined && { reference }),
    ...(requestId !== undefined && { requestId }),
    ...(kind !== undefined && { kind }),
    ...(line && { line: line.number }),
    ...(other && { others: [other.uuid] }),
    ...atRisk(difference),
  }
  return tell(code, difference, zone, about, doubtful)
}

function atRisk({ code, ...facts }: BooksDifference): Pick<Finding, 'amount' | 'currency'> {
  const { riskMinor }: FindingRecord<typeof facts> = findingRecords[code]
  const { line, payment } = facts
  const amountMinor = riskMinor?.(facts) ?? payment?.amountMinor ?? line?.amountMinor
  const currency = payment?.currency ?? line?.currency
  return { ...(amountMinor !== undefined && { amount: toMajor(amountMinor) }), ...(currency && { currency }) }
}
