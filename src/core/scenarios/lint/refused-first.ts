/** Finds rules that never decide, because the service refuses such requests before it asks any rule. */
import type { Assumptions } from '../../model/assumption.ts'
import type { Libraries } from '../../model/libraries.ts'
import { type FieldBound, openingOf, type Service } from '../../model/simulated-service.ts'
import type { Rule } from '../language/rules.ts'
import { type Formula, formulaOf, type Reasoner } from './implication.ts'

/** Returns the service's requirement that no request of the rule can meet; undefined for any other rule. */
export function refusedFirst(
  rule: Rule,
  { service, assumptions, libraries }: { service: Service; assumptions: Assumptions; libraries: Libraries },
  reasoner: Reasoner,
): string | undefined {
  if (rule.when === undefined || rule.turned.includes('when')) return undefined
  const formula = formulaOf(rule.when, libraries)
  if (reasoner.neverHolds(formula)) return undefined
  const broken = rule.on.map((kind) => {
    // Customers who can be asked on the phone may also pay on their own, which no check sees.
    const { prompt, page } = service.kinds.of(kind)
    const body = prompt && !page ? undefined : openingOf(service, kind)?.body
    return body && service.fieldBounds?.(body, assumptions).find((bound) => breaks(formula, bound, reasoner))
  })
  const [first] = broken
  return first && !broken.includes(undefined) ? `${first.field} ${first.expected}` : undefined
}

function breaks(formula: Formula, { field, when, minimum, enum: words }: FieldBound, reasoner: Reasoner): boolean {
  const only = when?.is.filter((value) => value !== undefined)
  if (only && !reasoner.implies(formula, claim(when?.field ?? '', '==', only))) return false
  const kept = minimum !== undefined ? claim(field, '>=', [minimum]) : words && claim(field, '==', words)
  return kept !== undefined && reasoner.neverHolds({ all: [formula, kept] })
}

function claim(field: string, sign: '==' | '>=', values: readonly (string | number)[]): Formula {
  return { text: '', claim: { subject: `request.${field}`, sign, values } }
}
