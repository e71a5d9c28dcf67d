import type { Core } from '../../core/core.ts'
import { buildEnvironment, type ConditionEnvironment, compileIn } from '../../core/expressions.ts'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { rowVariable } from '../../core/vocabulary.ts'
import type { Finding } from '../finding.ts'
import { paymentVariable } from '../predicate.ts'
import type { Level } from './findings/finding-record.ts'
import type { Matched } from './match.ts'
import type { BookedPayment } from './read-books.ts'

export interface CustomFinding {
  code: string
  where: string
  text: string
  level?: Level | undefined
}

/** Without a line, its number is 0. */
const lineVariable = rowVariable<BookedPayment, Core>('line', {
  number: ['double', ({ number }) => number],
  reference: ['string', ({ reference }) => reference],
  requestId: ['string', ({ requestId }) => requestId],
  kind: ['string', ({ kind }) => kind],
  amount: ['double', ({ amountMinor }) => toMajor(amountMinor ?? 0)],
  currency: ['string', ({ currency }) => currency],
  status: ['string', ({ status }) => status],
})

let environment: ConditionEnvironment | undefined

export function customFindings(
  core: Core,
  { pairs, lines, payments }: Matched,
  wanted: readonly CustomFinding[],
): Finding[] {
  const conditions = wanted.map((one, i) => ({ ...one, holds: compile(one.where, `findings.${i}.where`) }))
  if (conditions.length === 0) return []
  const stored = (uuid: string) => core.store.payments.byUuid(uuid)
  const subjects = [
    ...pairs.map(({ line, payment }) => ({ line, payment: stored(payment.uuid) })),
    ...lines.map((line) => ({ line, payment: undefined })),
    ...payments.map(({ uuid }) => ({ line: undefined, payment: stored(uuid) })),
  ]
  const nowMs = Math.floor(core.clock.now() / 1000)
  return subjects.flatMap(({ line, payment }) => {
    const seen = {
      line: new lineVariable.create(line, core),
      payment: new paymentVariable.create(payment, core),
      now: new Date(nowMs),
    }
    return conditions.filter(({ holds }) => holds(seen)).map((one) => finding(one, line, payment))
  })
}

function finding({ code, text, level = 'error' }: CustomFinding, line?: BookedPayment, payment?: Payment): Finding {
  const reference = line?.reference ?? payment?.referenceId ?? undefined
  const requestId = payment?.uuid ?? line?.requestId
  return {
    code,
    level,
    ...(reference !== undefined && { reference }),
    ...(requestId !== undefined && { requestId }),
    ...(payment && { kind: payment.kind }),
    ...(line && { line: line.number }),
    text,
  }
}

function compile(expression: string, field: string): (seen: object) => boolean {
  const plain = { now: 'google.protobuf.Timestamp' }
  environment ??= buildEnvironment(loadedLibraries, [lineVariable, paymentVariable], { plain })
  const { condition, problem } = compileIn(expression, environment)
  if (problem) throw new Refusal('INVALID_EXPRESSION', `${field}: column ${problem.start + 1}: ${problem.message}`)
  return (seen) => {
    try {
      return condition(seen)
    } catch {
      // A missing field means that the condition does not hold.
      return false
    }
  }
}
