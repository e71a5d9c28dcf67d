import { describe, expect, it } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { explainTrace } from '../../../src/inspect/trace-text.ts'
import { paymentsService } from '../../../src/service/service.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { decide, facts, load, loadShipped, ordinary, withRules } from './support.ts'

describe('the first rule that matches decides', () => {
  const scenario = load(
    withRules(`  - { name: broken, on: till, when: double(request.remarks) > 1.0, then: { after: 1s, end: FAILED } }
  - { name: large, on: till, when: request.amount > 5000, then: { after: 1s, end: FAILED } }
  - { name: unlucky, on: [till, paybill], chance: 0, then: { after: 1s, end: FAILED } }
  - { name: third, on: till, nth: 3, then: { refuse: { code: SERVICE_UNAVAILABLE, message: Down, details: Later } } }
  - { name: elsewhere, on: stk, then: { after: 1s, end: FAILED } }
  - { name: the rest, on: [till, paybill], then: { after: 2s, end: SUCCESS, with: { receiverName: A SHOP } } }
  - { name: never asked, on: till, then: { after: never } }
`),
  )

  it('and the trace says why the others did not', () => {
    const { plan } = decide(scenario, 'till')
    expect(plan).toEqual({
      rule: 'the rest',
      trace: 'ewcnM',
      afterUs: 2_000_000,
      end: 'SUCCESS',
      with: { receiverName: 'A SHOP' },
      revise: null,
    })
    expect(explainTrace(scenario, 'till', 'ewcnM')).toEqual([
      {
        rule: 'broken',
        outcome: 'condition failed',
        why: 'double(request.remarks) > 1.0 could not be worked out for these values',
      },
      { rule: 'large', outcome: 'condition false', why: 'request.amount > 5000 is false' },
      { rule: 'unlucky', outcome: 'chance missed', why: 'its chance is 0 and the draw was not among it' },
      { rule: 'third', outcome: 'not its turn', why: 'it matched, and it decides only the 3rd of its matches' },
      { rule: 'the rest', outcome: 'decided', why: 'it has no condition: after 2s SUCCESS (receiverName A SHOP)' },
      { rule: 'never asked', outcome: 'not asked', why: 'a rule before it decided' },
    ])
  })

  it('gives each payment fields of its own', () => {
    const one = decide(scenario, 'till').plan
    if (one) one.with.receiverName = 'CHANGED'
    expect(decide(scenario, 'till').plan?.with).toEqual({ receiverName: 'A SHOP' })
  })
})

describe('chance', () => {
  const scenario = load(
    withRules(
      '  - { name: flaky, on: till, chance: 0.05, then: { after: 30s..2m, end: FAILED } }\n  - { name: ok, on: till, then: { after: 1s..1s, end: SUCCESS } }\n',
    ),
  )
  const run = (seed: number) =>
    Array.from({ length: 4000 }, (_, i) => decide(scenario, 'till', {}, { nth: i + 1, chance: new Chance(seed) }).plan)

  it('keeps the odds, and spreads delays over the whole range in milliseconds', () => {
    const failed = run(11).filter((plan) => plan?.rule === 'flaky')
    expect(failed.length).toBeGreaterThan(150)
    expect(failed.length).toBeLessThan(250)
    const seconds = failed.map((plan) => (plan?.afterUs ?? 0) / 1e6)
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(30)
    expect(Math.min(...seconds)).toBeLessThan(35)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(120)
    expect(Math.max(...seconds)).toBeGreaterThan(115)
    expect(failed.every((plan) => (plan?.afterUs ?? 1) % 1000 === 0)).toBe(true)
  })
})

describe('a decision', () => {
  const scenarios = ['default', 'flaky-rail', 'slow-rails', 'late-reversal'].map(loadShipped)

  it('is pure: the same facts give the same decision, whatever the request holds', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.double(),
      fc.constant(null),
      fc.constantFrom('254711000404', '000999', 404.01),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...scenarios),
        fc.constantFrom(...paymentsService.kinds.names),
        fc.dictionary(
          fc.constantFrom(
            'amount',
            'phoneNumber',
            'businessNumber',
            'creditAccountNumber',
            'bankCode',
            'beneficiaryName',
            'remarks',
          ),
          value,
        ),
        fc.nat(1000),
        fc.nat(),
        (scenario, kind, changes, nth, seed) => {
          const about = facts(kind, { ...ordinary[kind], ...changes }, { nth: nth + 1, chance: new Chance(seed) })
          const decision = scenario.decide(about)
          expect(scenario.decide({ ...about, chance: new Chance(seed) })).toEqual(decision)
          const trace = (decision.plan ?? decision.refuse).trace
          expect(trace).toMatch(/^[wcne]*M$/)
          expect(explainTrace(scenario, kind, trace)[trace.length - 1]?.rule).toBe(
            (decision.plan ?? decision.refuse).rule,
          )
        },
      ),
      { numRuns: draws(500) },
    )
  })
})
