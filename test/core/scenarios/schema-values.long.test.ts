// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
/** Parameters in the places of all values, as the schema for editors and the loader take them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { problemsOf } from './support.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has no shape of its own
type Any = any

const published = join(import.meta.dirname, '../../../scenarios/scenario.schema.json')
const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, 'utf8')))

it('takes a parameter in the place of every single value that the loader takes one for', () => {
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
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, Array.isArray(value) ? Number(key) : key])
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
