/** Scenarios put together from several, with values left open. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.

import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import type { GivenParameters } from '../../../src/core/model/assumption.ts'
import { ScenarioError } from '../../../src/core/model/problems.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { paymentsService } from '../../../src/service/service.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { useBench } from '../../support/harness.ts'
import { decide, inShort, load, problemsOf, reader, shippedNames } from './support.ts'

const bench = useBench()

const limited = `name: limited
description: Nobody is paid more than \${limit} shillings.
parameters:
  limit: { default: 1000, description: the largest payout }
  pause: { default: 4s }
  word: { default: FAILED }
rules:
  - name: more than \${limit} is too much
    on: till
    when: request.amount > \${limit} && request.remarks != "$\${limit}"
    then: { after: "\${pause}", end: "\${word}" }
wallets:
  KES: \${limit}
`

function loadWith(text: string, parameters: GivenParameters, files?: Record<string, string>) {
  return loadScenario(text, {
    file: 'scenarios/late.yaml',
    read: reader(files),
    known: shippedNames,
    parameters,
    service: paymentsService,
    libraries: loadedLibraries,
  })
}

function refusedWith(text: string, parameters: GivenParameters): string {
  try {
    loadWith(text, parameters)
    return ''
  } catch (error) {
    return (error as ScenarioError).message
  }
}

describe('parameters', () => {
  it('have defaults, stand inside texts and as whole values, and keep their kind', () => {
    const scenario = load(limited)
    expect(scenario.description).toBe('Nobody is paid more than 1000 shillings.')
    expect(scenario.wallets.KES).toBe(100_000)
    expect(inShort(decide(scenario, 'till', { amount: 1001 }))).toBe('4s FAILED')
    expect(inShort(decide(scenario, 'till', { amount: 1000 }))).toBe('2s SUCCESS')
    // The dollar before it makes it a plain text.
    expect(inShort(decide(scenario, 'till', { amount: 1001, remarks: '${limit}' }))).toBe('2s SUCCESS')
  })

  it('take the values that are given, texts for numbers too', () => {
    const scenario = loadWith(limited, { limit: '5', pause: '9s' })
    expect(scenario.rules[0]?.name).toBe('more than 5 is too much')
    expect(inShort(decide(scenario, 'till', { amount: 6 }))).toBe('9s FAILED')
    expect(scenario.parameters).toEqual([
      { name: 'limit', value: 5, default: 1000, description: 'the largest payout' },
      { name: 'pause', value: '9s', default: '4s', description: undefined },
      { name: 'word', value: 'FAILED', default: 'FAILED', description: undefined },
    ])
  })

  it('can be declared again with another default by who extends', () => {
    const child = 'name: child\ndescription: C.\nextends: ./limited.yaml\nparameters: { limit: { default: 7 } }\n'
    expect(load(child, { 'scenarios/limited.yaml': limited }).rules[0]?.name).toBe('more than 7 is too much')
    expect(loadWith(child, { limit: 8 }, { 'scenarios/limited.yaml': limited }).rules[0]?.name).toBe(
      'more than 8 is too much',
    )
  })

  it('are told when they are not known or of the wrong kind', () => {
    expect(refusedWith(limited, { limt: 5 })).toBe(
      'scenarios/late.yaml:1:1: parameters: There is no parameter "limt". Known: limit, pause, word. Did you mean "limit"?',
    )
    expect(refusedWith(limited, { limit: 'five' })).toBe(
      'scenarios/late.yaml:4:10: parameters.limit: "five" was given for it. Expected a number, such as its default 1000.',
    )
    expect(refusedWith('name: a\ndescription: A.\n', { limit: 5 })).toBe(
      'scenarios/late.yaml:1:1: parameters: There is no parameter "limit": no parameters are declared. Add parameters: { limit: { default: 1000 } }.',
    )
    expect(problemsOf(limited.replace('> ${limit}', '> ${limt}'))).toEqual([
      '10:28 rules[0].when: There is no parameter "limt". Known: limit, pause, word. Did you mean "limit"? For the signs themselves, write $${limt}.',
      expect.stringContaining('10:28 rules[0].when: '),
    ])
    const misdeclared = problemsOf(limited.replace('default:', 'dfeault:'))
    expect(misdeclared).toContainEqual(expect.stringContaining('Did you mean "default"?'))
    expect(misdeclared).not.toContainEqual(expect.stringContaining('There is no parameter'))
  })

  it('leave the places of problems behind them where they are', () => {
    expect(problemsOf(limited.replace('request.remarks', 'request.remaks'))[0]).toMatch(
      /^10:48 rules\[0\]\.when: .*"remaks"/,
    )
  })

  it('are told that flow style needs quotes', () => {
    expect(problemsOf('name: a\ndescription: A.\nwallets: { KES: ${limit} }\n')[0]).toBe(
      '3:18 : Inside { } and [ ], a parameter has to be in quotes: { KES: "${limit}" }. As the whole value, it still counts as a number.',
    )
  })

  it('survive whatever is given', { timeout: 60_000 }, () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean())
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('limit', 'pause', 'word')), value), (given) => {
        try {
          loadWith(limited, given)
        } catch (error) {
          expect(error).toBeInstanceOf(ScenarioError)
        }
      }),
      { numRuns: draws(200) },
    )
  })

  it('are given by the control plane, for a new world and for a running one', async () => {
    const world = await bench.world({ scenario: limited, parameters: { limit: 50 } } as object)
    expect(await world.available()).toBe(50)
    expect((await world.control('GET', '/scenario')).parameters[0]).toMatchObject({ name: 'limit', value: 50 })
    const made = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario: limited, parameters: { limit: 'x' } }),
    })
    expect([made.status, await made.text()]).toEqual([400, expect.stringContaining('"x\\" was given for it')])
    const put = await world.raw('PUT', '/_mfano/scenario?set.limit=60', { body: limited })
    expect(put.body.rules[0].name).toBe('more than 60 is too much')
    expect((await world.raw('PUT', '/_mfano/scenario?set.limt=60', { body: limited })).body.error.details).toContain(
      'Did you mean "limit"?',
    )
  })
})

describe('a chain of scenarios', () => {
  it('is bounded', () => {
    const read = (name: string) => ({ file: name, text: `name: a\ndescription: A.\nextends: x${name}\n` })
    const text = 'name: a\ndescription: A.\nextends: ./a.yaml\n'
    expect(() => loadScenario(text, { file: 'a', read, service: paymentsService, libraries: loadedLibraries })).toThrow(
      'More than 20 scenarios extend one another',
    )
  })
})
