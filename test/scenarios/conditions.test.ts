/** The page of what conditions can ask is what the vocabulary has, and every message about a condition leads to it. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownFunctions } from '../../install/generate/reference/conditions.ts'
import { pastMethods } from '../../src/core/scenarios/decisions/payment-facts.ts'
import { load, problemsOf, withCondition, withRules } from '../core/scenarios/support.ts'
import { readDocument } from '../support/examples.ts'

const page = readDocument(join(import.meta.dirname, '../..'), 'src/docs/conditions.md')

it.each([
  ...ownFunctions.map(({ example }) => example),
  ...Object.values(pastMethods).map(({ example }) => `history.${example}`),
])('shows an example that is read: %s', (example) => {
  const kind = /Payer/.test(example) ? 'stk' : /account|beneficiary/.test(example) ? 'bank-payout' : 'send-money'
  const compared = /history/.test(example) ? `${example} > 2` : example
  expect(problemsOf(withCondition(compared, kind))).toEqual([])
})

it.each(['request.amout > 5', 'history.foo > 2', 'betwen("1", "2")', 'request.amount >'])(
  'is named by what is wrong with %s',
  (when) => {
    expect(problemsOf(withCondition(when)).join('\n')).toMatch(/All that conditions can ask: the page docs\/conditions/)
  },
)

it('is named where the condition of a fault is wrong', () => {
  const faults = 'extends: none\ncallbacks: { faults: [{ on: till, when: request.amout > 5, then: { drop: true } }] }\n'
  const answers = 'extends: none\nfaults: [{ on: "*", when: request.amout > 5, then: { status: 503 } }]\n'
  const rule = '  - { name: a, on: till, then: { after: 1s, end: FAILED } }\n'
  for (const head of [faults, answers])
    expect(problemsOf(withRules(rule, head)).join('\n')).toContain('the page docs/conditions')
})

it('tells how the parameter of a parent gets another default, which holds in its rails', () => {
  const text = /```yaml\n(name: early.*?)```/s.exec(page)?.[1] ?? ''
  const { rails, parameters } = load(text)
  expect(rails.cutOff[0]?.cutOffAt).toBe(15 * 60)
  expect(parameters).toEqual([expect.objectContaining({ name: 'cutOff', value: '15:00', default: '15:00' })])
})
