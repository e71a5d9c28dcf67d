// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
/**
 * Every key of the scenario language: taken out of a scenario, it is missed in what an app sees, or the loader refuses the
 * rest. A parameter in the place of its value is taken by the loader, and by the schema for editors.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarioSchemaText } from '../../../src/core/schema-problems.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { TestWorld, useBench } from '../../support/harness.ts'
import { problemsOf } from './support.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON has no shape of its own
type Any = any

const bench = useBench()

/** Keys that no app of a frozen world sees. */
const unseen: Readonly<Record<string, string>> = {
  $schema: 'for editors',
  name: 'a label',
  description: 'a label',
  measured: 'how an assumption is known',
  'callbacks.faults.name': 'a label',
  'rails.limits.name': 'a label',
  'rails.fees.name': 'a label',
  'rails.float.name': 'a label',
  'rails.cutOff.name': 'a label',
  'rails.maintenance.name': 'a label',
  'clock.mode': 'real time',
  'clock.rate': 'real time',
  'callbacks.timeout': 'real time',
  'callbacks.concurrency': 'real time',
  'rules.then.callback.duplicate.together': 'real time',
  'callbacks.faults.then.duplicate.together': 'real time',
  'faults.then.latency': 'real time',
  'faults.then.slowBody': 'real time',
  'faults.then.slowBody.bytesPerSecond': 'real time',
  'faults.nth.per': 'two organisations',
  'directory.subscribers.pin': 'a handset',
  'directory.cards': 'a page',
  'directory.cards.number': 'a page',
  'directory.cards.outcome': 'a page',
}

const api = '/api/sandbox/v1'
const words = { remarks: 'Salary', occasion: 'January' }
const asks: Readonly<Record<string, { path: string; body: object }>> = {
  pay: { path: '/send-money', body: { ...words, phoneNumber: '254712345678', amount: 1000, currencyCode: 'KSH' } },
  less: { path: '/send-money', body: { ...words, phoneNumber: '254711000777', amount: 7, currencyCode: 'KSH' } },
  other: { path: '/send-money', body: { ...words, phoneNumber: '254712345678', amount: 7, currencyCode: 'KSH' } },
  till: { path: '/till', body: { ...words, amount: 100, businessNumber: '400200' } },
  stk: {
    path: '/stk/new',
    body: { amount: 100, phoneNumber: '254711000777', currencyCode: 'KSH', description: 'd', accountReference: 'r' },
  },
  bank: {
    path: '/bank/payout/new',
    body: { amount: 100, bankCode: '0068', creditAccountNumber: '0123456700', beneficiaryName: 'JANE', narration: 'x' },
  },
  checkout: {
    path: '/checkout-sessions',
    body: {
      ...{
        amount: 10,
        currency: 'KES',
        description: 'd',
        paymentMethods: ['MPESA_STK'],
        customerPhone: '+254711000777',
      },
      ...{ successUrl: 'https://m.example/s', cancelUrl: 'https://m.example/c' },
    },
  },
}

const rule = (then: string, on = 'send-money') => `rules: [{ name: a, on: ${on}, then: ${then} }]`
const told = (callback: string) => rule(`{ after: 1s, end: SUCCESS, callback: ${callback} }`)
const fault = (then: string) => `faults: [{ name: f, on: createSendMoney, then: ${then} }]`
const callbackFault = (then: string) => `callbacks: { faults: [{ name: f, on: send-money, then: ${then} }] }`
const callbackFaults = [
  '{ drop: true }',
  '{ delay: 1h..3h }',
  '{ duplicate: 2 }',
  '{ duplicate: { times: 3, together: true } }',
  '{ extra: { a: 1 } }',
  '{ set: { amount: 1 }, without: [status] }',
  '{ status: ODD }',
  '{ spelling: blanks }',
  '{ reorder: true }',
]
const fourTurns =
  'name: f, on: ON, when: request.amount > 500, chance: 0.4, then: A }, { name: g, on: ON, nth: { only: 2 PER }, then: B }, { name: h, on: ON, nth: { every: 4 PER }, then: C }, { name: i, on: ON, nth: { first: 3 PER }, then: D }, { name: j, on: ON, nth: 8, then: E'
const turns = (on: string, per: string, thens: readonly string[]) =>
  thens.reduce(
    (text, then, i) => text.replace(`then: ${'ABCDE'[i]}`, `then: ${then}`),
    fourTurns.replaceAll('ON', on).replaceAll(' PER', per),
  )
const ten = ['pay', 'less', 'less', 'pay', 'less', 'less', 'pay', 'less', 'pay', 'less']

/** A scenario, and what is asked for while it holds: requests by name, and how far time moves between them. */
const cases: [scenario: string, ...steps: string[]][] = [
  [
    `rules: [{ ${turns('send-money', ', per: payee', ['{ refuse: { code: MINE, status: 409, message: m, details: d, field: amount } }', '{ after: 1s, end: FAILED, with: { receiverName: x } }', '{ after: 20s..3m, end: SUCCESS, revise: { after: 1h..3h, end: FAILED, with: { receiverName: y } } }', '{ after: 5s, end: FAILED }', '{ after: 6s, end: FAILED }'])} }]`,
    ...ten,
  ],
  [rule('{ after: 1s, end: SUCCESS, answer: { status: 500, code: MINE, message: m } }'), 'pay'],
  [rule('{ after: 1s, end: SUCCESS, twice: true, answer: { status: 502, html: true } }'), 'pay'],
  [rule('{ end: SUCCESS, until: { poll: 3 } }'), 'pay'],
  [
    rule('{ after: 5m, end: SUCCEEDED, pay: { after: 1m..2m, by: MPESA_STK, confirm: 30s..40s } }', 'checkout'),
    'checkout',
  ],
  [rule('{ after: 1h, end: SUCCEEDED, prompt: 1m, pay: { after: 1m, by: MPESA_STK } }', 'checkout'), 'checkout'],
  ...callbackFaults.flatMap((one): [string, ...string[]][] => [
    [told(one), 'pay', '2s', 'less'],
    [callbackFault(one), 'pay', '2s', 'less'],
  ]),
  [rule('{ after: 0s, end: SUCCESS, callback: { early: true } }'), 'pay'],
  [callbackFault('{ early: true }'), 'pay'],
  [
    `assumptions: { callback-signature: standard-webhooks }\ncallbacks: { signatureTime: world, faults: [{ on: till, then: { signature: none } }] }\n${told('{ signature: altered-body }')}`,
    'pay',
    'till',
    'less',
  ],
  [
    'callbacks: { loseAnswers: 9, retry: { attempts: 3, backoff: [7s, 9s] }, rate: { max: 1, per: 20s } }',
    'pay',
    'less',
  ],
  [
    `callbacks: { faults: [{ ${turns('send-money', ', per: payee', ['{ drop: true }', '{ delay: 1m }', '{ delay: 2m }', '{ delay: 3m }', '{ delay: 4m }'])} }] }`,
    ...ten,
  ],
  [
    `faults: [{ ${turns('createSendMoney', ', per: organisation', ['{ status: 503, message: m }', '{ status: 500 }', '{ status: 409, code: MINE }', '{ status: 429 }', '{ reset: true }'])} }]`,
    ...ten,
  ],
  ['faults: [{ name: f, on: createSendMoney, after: true, then: { status: 502, html: true } }]', 'pay'],
  [fault('{ truncate: 20 }'), 'pay'],
  [fault('{ empty: true }'), 'pay'],
  [fault('{ latency: 1ms..2ms }'), 'pay'],
  [fault('{ slowBody: { bytesPerSecond: 100000 } }'), 'pay'],
  [fault('{ rateLimit: { max: 1, per: 1h, retryAfter: 5s } }'), 'pay', 'pay', '2m', 'pay'],
  [fault('{ revokeTokens: { after: 60s } }'), 'pay', '2m', 'pay'],
  [
    'rails: { limits: [{ name: l, on: send-money, perTransaction: 500, per: world, error: { status: 409, code: MINE, message: m, details: d, field: amount } }] }',
    'pay',
    'less',
  ],
  [
    'rails: { limits: [{ on: send-money, daily: 10, per: world, then: fail, with: { receiverName: x } }] }',
    'less',
    'other',
  ],
  ['rails: { limits: [{ on: send-money, currency: TZS, perTransaction: 5 }] }', 'pay'],
  [
    'rails: { fees: [{ name: f, on: send-money, amount: 15 }, { on: till, amount: { table: [{ upTo: 50, fee: 1 }, { upTo: 200, fee: 3 }] } }] }',
    'pay',
    'less',
    'till',
  ],
  ['rails: { fees: [{ on: send-money, currency: TZS, amount: 5 }] }', 'pay'],
  [
    'rails: { float: [{ name: f, on: send-money, amount: 10, then: fail, with: { receiverName: x } }, { on: till, amount: 5, then: hold }] }',
    'pay',
    'less',
    'till',
  ],
  ['rails: { float: [{ on: send-money, currency: TZS, amount: 5 }] }', 'pay'],
  [
    'timezone: Africa/Nairobi\nholidays: [2025-01-27]\nrails: { cutOff: [{ name: c, on: send-money, at: "16:00", opens: "09:30", weekends: true, holidays: [2025-01-25] }, { on: till, at: "10:00" }] }',
    'pay',
    'till',
  ],
  [
    'rails: { maintenance: [{ name: m, on: send-money, every: "16:00..20:00", then: fail, with: { receiverName: x } }, { on: till, every: "15:00..23:00", then: hold }] }',
    'pay',
    'till',
  ],
  ['assumptions: { error-body: flat }\nwallets: { KES: 500, TZS: 1, UGX: 1 }', 'pay', 'less'],
  ['extends: slow-rails\nseed: 9\nclock: { start: 2025-03-01T10:00:00 }', 'pay', 'less'],
  [
    'parameters: { end: { default: FAILED } }\nrules: [{ name: a, on: send-money, then: { after: 1s, end: "${end}" } }]',
    'pay',
  ],
  ['directory: { unregistered: ["345678"], withoutMoney: ["000777"] }', 'pay', 'stk'],
  [
    `directory: { subscribers: [{ phone: "254711000777", name: JOAN, network: AIRTEL, balance: 20, pin: "1111" }], bankAccounts: [{ bankCode: "0068", account: "0123456700", holder: SOMEBODY ELSE }], businesses: [{ number: "400200", name: SHOP }], cards: [{ number: "4000000000000002", outcome: approved }] }
rules: [{ name: a, on: send-money, when: payee.network == "AIRTEL" && payee.balance < 50, then: { after: 2s, end: FAILED } }]`,
    ...['less', 'till', 'bank', 'stk'],
  ],
]

function keysOfLanguage(): string[] {
  const found = new Set<string>()
  const walk = (schema: Any, path: string) => {
    for (const [name, property] of Object.entries<Any>(schema.properties ?? {})) {
      found.add(path + name)
      // One is chosen by name, and each has tests of its own.
      if (name !== 'assumptions' && name !== 'measured') walk(property, `${path}${name}.`)
    }
    for (const part of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) if (part) walk(part, path)
  }
  walk(JSON.parse(scenarioSchemaText(paymentsService)), '')
  return [...found]
}

/** A scenario with each of its keys left out in turn. */
function* leftOut(value: Any, path = ''): Generator<{ key: string; rest(): Any }> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries())
      for (const { key, rest } of leftOut(one, path)) yield { key, rest: () => value.with(i, rest()) }
    return
  }
  for (const [name, one] of Object.entries(value)) {
    yield {
      key: path + name,
      rest: () => Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
    }
    for (const { key, rest } of leftOut(one, `${path}${name}.`))
      yield { key, rest: () => ({ ...value, [name]: rest() }) }
  }
}

/** All that the app is answered and told, and its records in the end. */
async function seenWith(scenario: object, steps: readonly string[]): Promise<string> {
  const { simulator } = bench
  // Without a clock of its own, as a bench's worlds have one, it has that of the scenario.
  const body = JSON.stringify({ id: 'every-key', scenario: JSON.stringify(scenario) })
  const made = await fetch(`${simulator.baseUrl}/_mfano/worlds`, { method: 'POST', body })
  const world = new TestWorld(simulator, await made.json())
  const seen: unknown[] = []
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    try {
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const answer = await fetch(world.baseUrl + path, init)
      const told = ['content-type', 'mfano-rule', 'retry-after'].map((name) => answer.headers.get(name))
      return [answer.status, ...told, await answer.text()]
    } catch (error) {
      return [String((error as Error).cause)]
    }
  }
  const callbackUrl = `${world.baseUrl}/_mfano/inbox/x`
  const authorization = `Bearer ${await world.token()}`
  for (const step of steps) {
    const ask = asks[step]
    if (ask) seen.push(await post(api + ask.path, { ...ask.body, callbackUrl }, { authorization }))
    else await world.advance(step)
  }
  await world.advance('8d')
  world.logout()
  const { messages } = await world.control('GET', '/inbox/x')
  seen.push(messages.map(({ headers, text, body, receivedAt }: Any) => [headers, text, body, receivedAt]))
  const { payments } = await world.control('GET', '/payments')
  seen.push(payments.map(({ status, reason, updatedAt }: Any) => [status, reason?.code, updatedAt]))
  seen.push((await world.control('GET', '/wallets')).wallets, (await world.control('GET', '/clock')).mode)
  for (const kind of ['send-money', 'till', 'bank/payout'])
    seen.push((await world.get(`${api}/${kind}/all?companyId=${world.companyId}`)).body.data)
  simulator.worlds.remove('every-key')
  return JSON.stringify(seen).replaceAll(/"webhook-(?:signature|timestamp)":"(?!1737)[^"]*"/g, '')
}

const met = new Set(Object.keys(unseen))
const missed = new Set(met)

it.each(cases)('%s', async (text, ...steps) => {
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00' }
  const whole = { name: 'every-key', description: 'A test.', seed: 7, clock, ...parse(text) }
  whole.clock = { ...clock, ...whole.clock }
  expect(problemsOf(JSON.stringify(whole))).toEqual([])
  const before = await seenWith(whole, steps)
  for (const { key, rest } of leftOut(whole)) {
    met.add(key)
    if (missed.has(key)) continue
    if (problemsOf(JSON.stringify(rest())).length > 0 || (await seenWith(rest(), steps)) !== before) missed.add(key)
  }
})

it('has missed every key of the language', () => {
  const isWritten = (key: string) => !/^(?:assumptions|parameters)\.|\.with\.|\.(?:extra|set)\./.test(key)
  expect([...met].filter((key) => !missed.has(key) && isWritten(key))).toEqual([])
  expect(keysOfLanguage().filter((key) => !met.has(key))).toEqual([])
})

const validate = new Ajv2020({ strict: false }).compile(JSON.parse(scenarioSchemaText(paymentsService)))

it.each(cases)('takes a parameter in the place of each value of %s', (text) => {
  const whole = { name: 'every-key', description: 'A test.', ...parse(text) }
  const refused: string[] = []
  const walk = (value: Any, path: readonly string[]) => {
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key])
      return
    }
    // It is one already.
    if (String(value).includes('${')) return
    const file = structuredClone(whole)
    const owner = path.slice(0, -1).reduce((at, key) => at[key], file)
    owner[path.at(-1) as string] = '${knob}'
    file.parameters = { ...file.parameters, knob: { default: value } }
    const problems = problemsOf(JSON.stringify(file))
    if (!validate(file)) problems.push(`the schema: ${validate.errors?.[0]?.message}`)
    refused.push(...problems.map((problem) => `${path.join('.')}: ${problem}`))
  }
  const { parameters: _, extends: __, ...others } = whole
  walk(others, [])
  expect(refused).toEqual([])
})
