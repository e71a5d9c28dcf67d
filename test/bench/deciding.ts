/** Asks a scenario what happens to payments, again and again, in a world with a few payments in it. */
import { conditionFacts } from '../../src/core/condition-facts.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { paymentsService } from '../../src/service/service.ts'
import { given, median } from './kit.ts'
import { openWorld } from './open-world.ts'

export interface Deciding {
  rules: number
  decisions: number
}
export interface Decided {
  medianUs: number
}

/** Timed together, because one decision is shorter than a clock is exact. */
const BATCH = 20

const { rules, decisions } = given<Deciding>()
// All of a kind that people write, none of which holds but the last one's: every condition is worked out.
const conditions = [
  (i: number) => `request.amount == ${i}.01`,
  (i: number) => `request.phoneNumber.endsWith("0${i}")`,
  (i: number) => `request.currencyCode == "TZS" && request.amount < ${i}`,
  (i: number) => `has(request.referenceId) && request.referenceId.startsWith("R${i}-")`,
  (i: number) => `payee.name.contains("NOBODY ${i}")`,
  (i: number) => `request.remarks.matches("^late ${i}$")`,
]
const REST = 'the rest'
const yaml = (name: string, when: string, end: string) =>
  `  - { name: ${name}, on: send-money, ${when}then: { after: 1s, end: ${end} } }\n`
const written = Array.from({ length: rules }, (_, i) => {
  const when = JSON.stringify(conditions[i % conditions.length]?.(i))
  return i === rules - 1 ? yaml(REST, '', 'SUCCESS') : yaml(`rule ${i}`, `when: ${when}, `, 'FAILED')
})
const head = 'name: bench\ndescription: Many rules.\nextends: none\n'
const scenario = scenarioLibrary(paymentsService).parse(rules === 0 ? head : `${head}rules:\n${written.join('')}`)
const world = openWorld(':memory:', { scenario })
const request = { phoneNumber: '254712345678', amount: 10.5, currencyCode: 'KSH', remarks: 'r', occasion: 'o' }
const batches: number[] = []
for (let done = 0, nth = 0; done < decisions; done += BATCH) {
  const startedMs = performance.now()
  for (let i = 0; i < BATCH; i++) {
    nth++
    const asked = { kind: 'send-money', organisationId: 1, currency: 'KES', amountMinor: 1050, request } as const
    const { plan } = scenario.decide(conditionFacts(world.core, asked, nth))
    if (plan?.rule !== (rules === 0 ? '(no rule)' : REST)) throw new Error(`decided by ${plan?.rule}`)
  }
  batches.push(((performance.now() - startedMs) * 1000) / BATCH)
}
world.close()
console.log(JSON.stringify({ medianUs: median(batches) } satisfies Decided))
