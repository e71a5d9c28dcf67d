/** Rules that can never decide, because of what stands before them or because of what they say themselves. */
import type { PaymentKind } from '../model/payment.ts'
import { type Problem, quote } from './problems.ts'
import type { RuleSummary } from './scenario.ts'

/**
 * Warnings about a scenario's own rules. What is inherited may well be covered: to stand before the rules of the
 * extended scenario is what own rules are for.
 */
export function unreachableRules(rules: readonly RuleSummary[]): Problem[] {
  return rules.flatMap((rule, index) => {
    if (rule.inherited) return []
    const message = whyNever(rule, rules.slice(0, index))
    return message === undefined ? [] : [{ file: rule.file, line: rule.line, column: 1, path: rule.name, message }]
  })
}

function whyNever(rule: RuleSummary, before: readonly RuleSummary[]): string | undefined {
  if (rule.chance === 0) return 'It never decides: its chance is 0. Raise it, or remove the rule.'
  if (rule.when?.trim() === 'false')
    return 'It never decides: its condition is false. Write a condition, or remove the rule.'
  const covering = new Map<PaymentKind, RuleSummary>()
  for (const kind of rule.on) {
    const cover = before.find((other) => other.on.includes(kind) && coversAll(other, rule))
    if (cover) covering.set(kind, cover)
  }
  const [first] = covering.values()
  if (!first) return undefined
  const whole = covering.size === rule.on.length
  const by = `the rule ${quote(first.name)} on line ${first.line} decides ${decides(first)} before it`
  if (whole) return `It never decides: ${by}. Move it up, or remove one of the two.`
  return `It never decides ${[...covering.keys()].join(', ')}: ${by}. Take ${covering.size === 1 ? 'it' : 'them'} out of "on", or move the rule up.`
}

/** Whatever comes to the later rule was decided by the earlier one. */
function coversAll(earlier: RuleSummary, later: RuleSummary): boolean {
  if ((earlier.chance !== undefined && earlier.chance < 1) || earlier.nth !== undefined) return false
  const always = earlier.when === undefined || earlier.when.trim() === 'true'
  return always || earlier.when?.trim() === later.when?.trim()
}

function decides(rule: RuleSummary): string {
  return rule.when === undefined || rule.when.trim() === 'true' ? 'all of them' : 'the same ones'
}
