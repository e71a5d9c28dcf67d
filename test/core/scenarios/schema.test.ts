// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarioSchemaText } from '../../../src/core/schema-text.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { problemsOf, shippedNames, shippedText } from './support.ts'

const published = join(import.meta.dirname, '../../../scenarios/scenario.schema.json')
const bench = useBench()

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has no shape of its own
type Any = any

it('is served to editors', async () => {
  const answer = await fetch(`${bench.simulator.baseUrl}/_mfano/scenario.schema.json`)
  expect(answer.headers.get('content-type')).toBe('application/schema+json')
  expect(await answer.text()).toBe(scenarioSchemaText(paymentsService))
})

it('describes every word, and says what most values look like', () => {
  const silent: string[] = []
  const walk = (schema: Any, path: string) => {
    for (const [name, property] of Object.entries<Any>(schema.properties ?? {})) {
      // A currency, and a choice between two shapes, are described by what they stand in.
      if (property.description === undefined && !/^[A-Z]{3}$/.test(name)) silent.push(`${path}.${name}`)
      walk(property, `${path}.${name}`)
    }
    for (const part of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) if (part) walk(part, path)
  }
  const schema = JSON.parse(scenarioSchemaText(paymentsService))
  walk(schema, '')
  expect(silent).toEqual([])
  expect(JSON.stringify(schema).split('"examples"').length).toBeGreaterThan(25)
})

describe('the shipped scenarios', () => {
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, 'utf8')))

  it.each(shippedNames)('%s satisfies it, and tells editors where it is', (name) => {
    const text = shippedText(name)
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./scenario.schema.json')
    validate(parse(text))
    expect(validate.errors).toBeNull()
  })

  it('may have a parameter in the place of any value', () => {
    const limited = (amount: string) => `name: limited
description: A limit to turn.
parameters: { limit: { default: 250000 }, end: { default: FAILED }, wait: { default: 30s } }
rules: [{ name: slow, on: till, chance: "\${odds}", then: { after: "\${wait}..2m", end: "\${end}" } }]
rails: { limits: [{ on: till, perTransaction: ${amount} }] }
`
    expect(validate(parse(limited('"${limit}"')))).toBe(true)
    expect(validate(parse(limited('"limit"')))).toBe(false)
    expect(validate(parse(limited('"${}"')))).toBe(false)
  })

  it('may have one in the place of every single value that the loader takes one for', () => {
    const rich = {
      name: 'rich',
      description: 'Every word that takes a number, a time, a truth value or one of a few words.',
      seed: 7,
      clock: { mode: 'scaled', rate: 60 },
      wallets: { KES: 1000 },
      directory: { subscribers: [{ phone: '254711000777', name: 'A', network: 'MPESA', balance: 20 }] },
      rules: [
        {
          name: 'a',
          on: 'till',
          when: 'request.amount > 5',
          chance: 0.5,
          nth: 3,
          then: { refuse: { status: 503, code: 'SERVICE_UNAVAILABLE' } },
        },
        {
          name: 'b',
          on: 'till',
          nth: { first: 2 },
          then: {
            after: { median: '20s', p95: '3m' },
            end: 'SUCCESS',
            revise: { after: '2d', end: 'FAILED' },
            answer: { status: 500 },
            twice: true,
            callback: {
              delay: '10m',
              duplicate: { times: 2, together: true },
              status: 'X',
              extra: { a: 1 },
              retry: { attempts: 2, backoff: ['10s'] },
            },
          },
        },
        {
          name: 'c',
          on: 'till',
          then: { until: { poll: 3 }, end: 'FAILED', answer: 'lost', callback: { drop: true } },
        },
        {
          name: 'd',
          on: 'checkout',
          then: { after: '5s', end: 'SUCCEEDED', pay: { after: '5s', by: 'MPESA_STK', confirm: '20s' } },
        },
      ],
      callbacks: {
        retry: { attempts: 3, backoff: ['10s', '1m'] },
        timeout: '10s',
        loseAnswers: 1,
        faults: [{ on: 'send-money', chance: 0.5, then: { early: true, duplicate: 2 } }],
      },
      faults: [
        { on: 'getToken', chance: 0.1, nth: 2, then: { status: 503, latency: '2s' } },
        { on: 'createSendMoney', after: true, then: { truncate: 20 } },
        { on: 'listSendMoney', then: { slowBody: { bytesPerSecond: 20 } } },
        { on: '*', then: { rateLimit: { max: 10, per: '1m', retryAfter: '30s' } } },
        { on: '*', then: { revokeTokens: { after: '60s' } } },
      ],
      rails: {
        limits: [{ on: 'till', perTransaction: 5, daily: 10, per: 'party', currency: 'KES', then: 'fail' }],
        fees: [
          { on: 'till', amount: { percent: 1.5, min: 1, max: 5 } },
          { on: 'paybill', amount: { table: [{ upTo: 10, fee: 1 }] } },
        ],
        float: [{ on: 'till', amount: 100, then: 'hold' }],
        cutOff: [{ on: 'till', at: '16:00', opens: '08:00', weekends: true, holidays: ['2025-12-25'] }],
        maintenance: [{ on: 'till', every: '01:00..03:00', then: 'hold' }],
      },
      assumptions: { 'list-order': 'newest-first' },
    }
    const problems: string[] = []
    const walk = (value: Any, path: (string | number)[]) => {
      if (typeof value === 'object') {
        for (const [key, inner] of Object.entries(value))
          walk(inner, [...path, Array.isArray(value) ? Number(key) : key])
        return
      }
      const file = structuredClone(rich) as Any
      const owner = path.slice(0, -1).reduce((at: Any, key) => at[key], file)
      owner[path.at(-1) as string] = '${knob}'
      file.parameters = { knob: { default: value } }
      const text = JSON.stringify(file)
      problems.push(...problemsOf(text).map((problem) => `${path.join('.')}: loader: ${problem}`))
      if (!validate(JSON.parse(text))) problems.push(`${path.join('.')}: schema: ${validate.errors?.[0]?.message}`)
    }
    expect(problemsOf(JSON.stringify(rich))).toEqual([])
    walk(rich, [])
    expect(problems).toEqual([])
  })

  it('would not, with a word mistyped', () => {
    expect(validate(parse(shippedText('default').replace('  - name:', '  - nmae:')))).toBe(false)
  })
})
