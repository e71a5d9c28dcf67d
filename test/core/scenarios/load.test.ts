import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { ScenarioError } from '../../../src/core/model/problems.ts'
import type { LayerMemory } from '../../../src/core/scenarios/keys/chain.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { decide, inShort, load, loadShipped, reader, withRules } from './support.ts'

describe('extends', () => {
  it('is default when left out: the triggers come below the own rules', () => {
    const scenario = load(withRules('  - { name: tills are closed, on: till, then: { after: 1s, end: FAILED } }\n', ''))
    expect(scenario.rules[0]?.name).toBe('tills are closed')
    expect(inShort(decide(scenario, 'till'))).toBe('1s FAILED')
    expect(inShort(decide(scenario, 'send-money', { phoneNumber: '254711000404' }))).toBe('2s FAILED')
    expect(scenario.callbacks.attempts).toBe(5)
  })

  it('none makes a bare world: nothing decides, and wallets are empty', () => {
    const scenario = load('name: bare\ndescription: Nothing.\nextends: none\n')
    expect(scenario.rules).toEqual([])
    expect(scenario.wallets).toEqual({ KES: 0, TZS: 0, UGX: 0 })
    expect(decide(scenario, 'till')).toEqual({
      plan: { rule: '(no rule)', trace: '', afterUs: null, end: 'SUCCESS', with: {}, revise: null },
      counted: [],
    })
    expect(decide(scenario, 'allocation').plan).toMatchObject({ afterUs: 0, end: 'SUCCESS' })
  })

  it('remembers what many extend, until it is another text', () => {
    const memory: LayerMemory = new Map()
    const base = (wallet: string) => `name: base\ndescription: B.\nextends: none\nwallets: { KES: ${wallet} }\n`
    const child = (wallet: string) =>
      loadScenario('name: child\ndescription: C.\nextends: ./base.yaml\n', {
        file: 'late.yaml',
        read: reader({ 'base.yaml': base(wallet) }),
        service: paymentsService,
        libraries: loadedLibraries,
        memory,
      }).wallets.KES
    expect([child('5'), child('5'), child('7')]).toEqual([500, 500, 700])
    expect([...memory.keys()]).toEqual(['base.yaml'])
    expect(() => child('true')).toThrow(ScenarioError)
    expect(child('7')).toBe(700)
  })

  it('lays settings over each other and puts lists together, nearest first', () => {
    const files = {
      'scenarios/shared/base.yaml': `name: base
description: A base.
extends: ../parent.yaml
seed: 7
clock: { mode: scaled, rate: 60 }
wallets: { KES: 10, TZS: 20.5 }
assumptions: { error-body: flat, refresh-token: "on" }
directory: { subscribers: [{ phone: "254712345678", name: FAR AWAY }, { phone: "254712345679", name: ONLY HERE }] }
`,
      'scenarios/parent.yaml':
        'name: parent\ndescription: A parent.\nextends: none\ncallbacks: { timeout: 3s, retry: { attempts: 2 } }\n',
    }
    const scenario = load(
      `name: child
description: A child.
extends: ./shared/base.yaml
clock: { start: "2025-01-24T16:28:00+03:00" }
wallets: { KES: 1.5 }
assumptions: { error-body: nested }
directory: { subscribers: [{ phone: "254712345678", name: NEAR BY, network: AIRTEL, balance: 5 }] }
callbacks: { retry: { backoff: [1s] } }
`,
      files,
    )
    expect(scenario.seed).toBe(7)
    expect(scenario.clock).toEqual({ mode: 'scaled', rate: 60, startUs: Date.UTC(2025, 0, 24, 13, 28) * 1000 })
    expect(scenario.wallets).toEqual({ KES: 150, TZS: 2050, UGX: 0 })
    expect(scenario.assumptions).toMatchObject({
      'error-body': 'nested',
      'refresh-token': 'on',
      'list-order': 'oldest-first',
    })
    const asWritten = { attempts: 2, backoffUs: [1_000_000], timeoutMs: 3000, loseAnswers: 0 }
    expect(scenario.callbacks).toEqual({ ...asWritten, concurrency: 64, gapUs: 0, signatureTime: 'real' })
    expect(scenario.directory.subscriber('254712345678')).toEqual({
      phone: '254712345678',
      known: true,
      name: 'NEAR BY',
      network: 'AIRTEL',
      balance: 5,
      pin: '1234',
    })
    expect(scenario.directory.subscriber('+254712345679').name).toBe('ONLY HERE')
  })

  it('replaces a rule of the same name', () => {
    const scenario = load(
      withRules('  - { name: the payer approves, on: stk, then: { after: 9s, end: SUCCESS } }\n', ''),
    )
    expect(scenario.rules.filter((rule) => rule.name === 'the payer approves')).toHaveLength(1)
    expect(inShort(decide(scenario, 'stk'))).toBe('9s SUCCESS')
  })
})

describe('loading', () => {
  it('reads JSON as well', () => {
    const scenario = load('{\n\t"name": "json",\n\t"description": "As JSON.",\n\t"seed": 3\n}')
    expect(scenario.name).toBe('json')
    expect(scenario.seed).toBe(3)
  })

  it('reads JSON on one line, however many rules it has', () => {
    const rule = (i: number) => `{"name":"r${i}","on":"till","when":"nth == ${i}","then":{"after":"1s","end":"FAILED"}}`
    const rules = Array.from({ length: 200 }, (_, i) => rule(i)).join(',')
    const scenario = load(`{"name":"line","description":"On one line.","rules":[${rules}]}`)
    expect(scenario.rules.length).toBeGreaterThan(200)
  })

  it('keeps the text as given, and where each rule stands', () => {
    const text = withRules(
      '  - { name: a, on: [till, paybill], chance: 0.5, then: { refuse: { code: TIMEOUT_ERROR } } }\n',
      '',
    )
    const scenario = load(text)
    expect(scenario.source).toBe(text)
    expect(scenario.rules[0]).toEqual({
      name: 'a',
      on: ['till', 'paybill'],
      when: undefined,
      chance: 0.5,
      nth: undefined,
      then: 'refuse 504 TIMEOUT_ERROR',
      file: 'scenarios/late.yaml',
      line: 4,
      inherited: false,
    })
  })

  it('takes another seed from withSeed', () => {
    const scenario = loadShipped('default')
    const nameBy = (seed: number) => scenario.withSeed(seed).directory.subscriber('254798000111').name
    expect(nameBy(5)).not.toBe(nameBy(6))
    expect(scenario.withSeed(5).seed).toBe(5)
    expect(scenario.withSeed(6).withSeed(5).directory.subscriber('254798000111').name).toBe(nameBy(5))
  })

  it('throws an error that prints every problem with its place', () => {
    const text = withRules(
      '  - { name: a, on: till, then: { after: 4s, end: DECLINED } }\n  - { name: a, on: till, then: { after: 4, end: SUCCESS } }\n',
    )
    let thrown: unknown
    try {
      load(text)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ScenarioError)
    expect((thrown as ScenarioError).message).toBe(
      `scenarios/late.yaml:5:50: rules[0].then.end: "DECLINED" is not a state that a till payment can end in. Possible: SUCCESS, FAILED.
scenarios/late.yaml:6:41: rules[1].then.after: Found the number 4. Expected a duration such as 4s, a range such as 30s..2m, or never.`,
    )
  })
})
