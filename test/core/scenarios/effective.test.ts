// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Scenario } from '../../../src/core/scenario.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { sample } from '../../support/fast-check.ts'
import { decide, load, loadShipped, problemsOf, shippedNames } from './support.ts'

const withoutPlaces = ({ rules, callbacks, wallets, assumptions, clock, seed, rails }: Scenario) => ({
  rules: rules.map(({ file: _, line: __, inherited: ___, ...rule }) => rule),
  rails: Object.values(rails).flatMap((entries) =>
    entries.map(({ file: _, line: __, ...entry }: { file: string; line: number }) => entry),
  ),
  ...{ callbacks, wallets, assumptions, clock, seed },
})

describe('the effective scenario', () => {
  it('is one text, with every rule under the place that it comes from', () => {
    const scenario = load(
      'name: own\ndescription: O.\nextends: slow-rails\nparameters: { limit: { default: 5 } }\nwallets:\n  KES: ${limit}\nrules:\n  - name: above ${limit}\n    on: till\n    when: request.amount > ${limit}\n    then: { after: 1s, end: FAILED }\n',
    )
    const text = scenario.effective()
    expect(text).toContain('  # scenarios/late.yaml:8\n  - name: above 5\n    on: till\n    when: request.amount > 5\n')
    expect(text).toMatch(/ {2}# scenarios\/slow-rails\.yaml:\d+\n {2}- name: /)
    expect(parse(text)).toMatchObject({ extends: 'none', wallets: { KES: 5, TZS: 50_000_000 } })
    expect(parse(text)).not.toHaveProperty('parameters')
  })

  it.each(sample(shippedNames))('of %s loads as the same scenario', (name) => {
    const scenario = loadShipped(name)
    const text = scenario.effective()
    expect(problemsOf(text)).toEqual([])
    const again = load(text)
    expect(withoutPlaces(again)).toEqual(withoutPlaces(scenario))
    for (const kind of paymentsService.kinds.names) expect(decide(again, kind)).toEqual(decide(scenario, kind))
    expect(parse(again.effective())).toEqual(parse(text))
  })
})
