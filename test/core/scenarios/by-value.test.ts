/** Rules that ask for one value of a field are found by it, not asked one after the other: nobody sees a difference. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/model/payment.ts'
import { decide, load, withRules } from './support.ts'

const phones = ['254711000404', '255711000404', '254711100100', '404', '']
const written = fc.oneof(
  fc.constantFrom(0, 1, 1.5, 1000).map((amount) => `request.amount == ${amount}`),
  fc.constantFrom('000404', '404', '0', '', ...phones).map((end) => `request.phoneNumber.endsWith("${end}")`),
  fc.constantFrom('KSH', 'TZS').map((currency) => `request.currencyCode == "${currency}"`),
  fc.constantFrom(...phones).map((phone) => `request.phoneNumber == "${phone}"`),
  // These are asked themselves.
  fc.constantFrom(
    'request.amount > 1.0',
    'request.amount == 1 && request.currencyCode == "KSH"',
    'organisation.parent',
  ),
)
const request = fc.record(
  {
    phoneNumber: fc.constantFrom(...phones),
    amount: fc.constantFrom(0, 1, 1.5, 1000),
    currencyCode: fc.constantFrom('KSH', 'TZS'),
  },
  { requiredKeys: [] },
)

it('decides as each rule by itself would', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 12 }), fc.array(request, { maxLength: 5 }), (conditions, requests) => {
      const rule = (name: string, when: string) =>
        `  - { name: ${name}, on: send-money, ${when}then: { after: 1s, end: SUCCESS } }\n`
      const whenOf = (when: string) => `when: ${JSON.stringify(when)}, `
      const last = rule('the rest', '')
      const all = load(withRules(conditions.map((when, i) => rule(`rule ${i}`, whenOf(when))).join('') + last))
      // What is no single test is asked.
      const alone = conditions.map((when) => load(withRules(rule('alone', whenOf(`${when} || false`)) + last)))
      for (const sent of requests as JsonObject[]) {
        const ruleFor = (scenario: typeof all) => decide(scenario, 'send-money', sent).plan
        const first = alone.findIndex((scenario) => ruleFor(scenario)?.rule === 'alone')
        const before = first < 0 ? conditions.length : first
        expect(ruleFor(all)).toMatchObject({
          rule: first < 0 ? 'the rest' : `rule ${first}`,
          trace: `${'w'.repeat(before)}M`,
        })
      }
    }),
    { numRuns: 50 },
  )
})
