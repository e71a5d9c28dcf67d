/** Everything that is wrong with a body is told in one answer, in one manner, whatever the operation. */
import { expect, it } from 'vitest'
import { stages } from '../../src/core/model/refusal.ts'
import { bodies } from '../support/bodies.ts'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { verdict } from './assumptions/sending.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

it.each([
  ['send-money', {}, ['phoneNumber', 'amount', 'remarks', 'occasion', 'callbackUrl']],
  [
    'send-money',
    { currencyCode: 'TZS' },
    ['phoneNumber', 'amount', 'narration', 'firstName', 'lastName', 'serviceCode', 'callbackUrl'],
  ],
  ['send-money', { currencyCode: 'UGX' }, ['phoneNumber', 'amount', 'narration', 'customerName']],
  ['till', {}, ['businessNumber', 'amount', 'remarks', 'occasion', 'callbackUrl']],
  ['paybill', {}, ['businessNumber', 'accountNumber', 'amount', 'remarks', 'occasion', 'callbackUrl']],
  ['stk/new', {}, ['phoneNumber', 'amount', 'description', 'callbackUrl', 'accountReference']],
  ['stk/new', { currencyCode: 'TZS' }, ['phoneNumber', 'amount', 'description', 'callbackUrl', 'channel']],
  [
    'stk/new',
    { currencyCode: 'UGX' },
    ['phoneNumber', 'amount', 'description', 'callbackUrl', 'narration', 'customerName'],
  ],
  ['allocations/new', {}, ['fromOrganisationId', 'toOrganisationId', 'amount']],
])('names every field that an empty request to %s misses, %j', async (path, sent, fields) => {
  const world = await bench.world(assuming({ 'error-body': 'field-list' }))
  const { body } = await world.post(`${api}/${path}`, sent)
  expect(body.errors).toEqual(Object.fromEntries(fields.map((field) => [field, [`${field} is required`]])))
})

it('says what a field needs for its currency beside what is wrong with the others', async () => {
  const world = await bench.world()
  const { body } = await world.post(`${api}/send-money`, {
    phoneNumber: '254712345678',
    currencyCode: 'TZS',
    amount: 999,
    serviceCode: 'X',
    narration: ' ',
  })
  expect(body.error.code).toBe('REQ_INVALID_FIELD')
  expect(body.error.details.split('; ')).toEqual([
    'narration: must not be blank, got " "',
    'firstName: is required, expected a text (needed for TZS), got nothing',
    'lastName: is required, expected a text (needed for TZS), got nothing',
    'callbackUrl: is required, expected a text (needed for TZS), got nothing',
    'phoneNumber: must be 255 and nine digits that start with 6 or 7 for TZS, got "254712345678"',
    'serviceCode: must be one of TZ-TIGO-B2C, TZ-AIRTEL-B2C, TZ-HALOTEL-B2C, got "X"',
  ])
})

it.each(['', '   ', '\n'])('says once that the text %j is blank, needed or not', async (blank) => {
  const world = await bench.world(assuming({ 'error-body': 'field-list' }))
  const callbackUrl = bench.receiver.url()
  const sent = { amount: 100, remarks: blank, occasion: blank, referenceId: blank, callbackUrl }
  const expected = Object.fromEntries(
    ['remarks', 'occasion', 'referenceId'].map((field) => [field, [`${field} must not be blank`]]),
  )
  const payout = await world.post(`${api}/send-money`, { ...sent, phoneNumber: '254712345678' })
  const till = await world.post(`${api}/till`, { ...sent, businessNumber: '12345' })
  expect(payout.body.errors).toEqual(expected)
  expect(till.body.errors).toEqual(expected)
})

it('checks published forms together with types', async () => {
  const world = await bench.world(assuming({ 'error-body': 'field-list', 'documented-limits': 'refuse' }))
  const till = await world.post(`${api}/till`, {
    businessNumber: '1',
    amount: 0,
    remarks: 'x'.repeat(101),
    occasion: 'o',
  })
  expect(Object.values(till.body.errors).flat()).toEqual([
    'amount must be greater than 0',
    'callbackUrl is required',
    'businessNumber must be five to ten digits',
    'remarks must be at most 100 characters',
  ])
  const stk = await world.post(`${api}/stk/new`, {
    phoneNumber: '0700000001',
    amount: 1.5,
    description: 'Here is the description',
    accountReference: 'Here is the reference',
    callbackUrl: bench.receiver.url(),
  })
  expect(Object.keys(stk.body.errors)).toEqual(['amount', 'phoneNumber', 'description', 'accountReference'])
})

it('answers a wrong method and what is wrong with an id in the form of the operations there', async () => {
  const world = await bench.world()
  const wrong = await world.raw('DELETE', `${api}/checkout-sessions`)
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  expect(wrong.body).toEqual({ message: 'Bad request', errors: {} })
  expect((await world.raw('PUT', `${api}/checkout-sessions/x`)).body).toEqual({ message: 'Bad request', errors: {} })
  expect((await world.raw('DELETE', `${api}/send-money`)).body).toHaveProperty('error.code', 'REQ_BAD_REQUEST')
})

type Door = (world: TestWorld, value: unknown) => Promise<{ status: number; text: string }>

/** A field as each door takes it: the service, the control plane, and pages for people. */
const doors: Record<string, Door> = {
  'amount of send-money': (world, amount) => send(world, { amount }),
  'amount of till': (world, amount) =>
    world.post(`${api}/till`, { businessNumber: '12345', amount, remarks: 'r', occasion: 'o', callbackUrl: URL_ }),
  'amount of checkout': (world, amount) => session(world, { amount }),
  'amount of stk': (world, amount) => stk(world, { amount }),
  'amount of a bank collection': (world, amount) => control(world, '/collections/bank', { amount }),
  'amount of an stk collection': (world, amount) => collect(world, { amount }),
  'amount of a top-up': (world, amount) => control(world, '/wallets/fund', { amount }),
  'phone of send-money': (world, phoneNumber) => send(world, { phoneNumber }),
  'phone of stk': (world, phoneNumber) => stk(world, { phoneNumber }),
  'phone of an stk collection': (world, phoneNumber) => collect(world, { phoneNumber }),
  'phone that pays': async (world, phoneNumber) =>
    control(world, `/checkout/${(await session(world, {})).body.id}/pay`, { method: 'MPESA_STK', phoneNumber }),
  'phone that pays on the page': async (world, phone) => {
    const { checkoutUrl } = (await session(world, {})).body
    const body = new URLSearchParams({ action: 'pay', method: 'MPESA_STK', phoneNumber: String(phone) })
    const { status } = await fetch(checkoutUrl, { method: 'POST', redirect: 'manual', body })
    return { status, text: '' }
  },
  'phone of the handset': (world, phone) => world.raw('GET', `/_mfano/handset/${encodeURIComponent(String(phone))}`),
  'remarks of send-money': (world, remarks) => send(world, { remarks }),
  'description of an stk collection': (world, description) => collect(world, { description }),
  'description of a bank collection': (world, description) =>
    control(world, '/collections/bank', { amount: 5, description }),
  'reference of send-money': (world, referenceId) => send(world, { referenceId }),
  'reference of an stk collection': (world, referenceId) => collect(world, { referenceId }),
  'account of a bank payout': (world, creditAccountNumber) =>
    world.post(`${api}/bank/payout/new`, { ...bodies.bankPayout(URL_), creditAccountNumber }),
  'account of a bank collection': (world, accountNumber) =>
    control(world, '/collections/bank', { amount: 5, accountNumber }),
  'field of a record': async (world, receiverName) => {
    const { requestId } = (await send(world, {})).body.data
    return control(world, `/payments/${requestId}/resolve`, { status: 'FAILED', with: { receiverName } })
  },
  'world of populate': (world, id) => atRoot(world, '/populate', { world: id, payments: 1, months: 1 }),
  'id of a world': (world, id) => atRoot(world, '/worlds', { id }),
}

const URL_ = 'https://merchant.example/told'
const send = (world: TestWorld, changed: object) =>
  world.post(`${api}/send-money`, {
    ...{ phoneNumber: '254712345678', amount: 5, remarks: 'r', occasion: 'o', callbackUrl: URL_, ...changed },
  })
const stk = (world: TestWorld, changed: object) =>
  world.post(`${api}/stk/new`, {
    ...bodies.stk(URL_),
    ...changed,
  })
const session = (world: TestWorld, changed: object) =>
  world.post(`${api}/checkout-sessions`, {
    ...{ amount: 5, currency: 'KES', description: 'd', successUrl: URL_, cancelUrl: URL_ },
    ...{ paymentMethods: ['MPESA_STK'], ...changed },
  })
const control = (world: TestWorld, path: string, body: object) => world.raw('POST', `/_mfano${path}`, { body })
const collect = (world: TestWorld, changed: object) =>
  control(world, '/collections/stk', { phoneNumber: '254712345678', amount: 5, ...changed })
const atRoot = async (world: TestWorld, path: string, body: object) => {
  const answer = await fetch(new URL(`/_mfano${path}`, world.baseUrl), {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  })
  return { status: answer.status, text: await answer.text() }
}

const PHONES = ['phone of send-money', 'phone of stk', 'phone of an stk collection']
/** People may type a number as they say it. */
const TYPED = ['phone that pays', 'phone that pays on the page', 'phone of the handset']
const TEXTS = ['remarks of send-money', 'description of an stk collection', 'description of a bank collection']
const REFERENCES = ['reference of send-money', 'reference of an stk collection']
const ACCOUNTS = ['account of a bank payout', 'account of a bank collection']
// Only a process makes worlds with a past.
const PASTS = process.env['MFANO_TEST_HOST'] === 'workers' ? [] : ['world of populate']
const WORLDS = [...PASTS, 'id of a world']
const AMOUNTS = Object.keys(doors).filter((name) => name.startsWith('amount'))
const WHOLE = ['amount of stk', 'amount of an stk collection']
const decimals = AMOUNTS.filter((name) => !WHOLE.includes(name))

it.each<[string, unknown[], taken: string[], refused: string[]]>([
  ['no amount', [0, -1, 0.001, 1e21, '500', 1.005, null, '', true, 1e12], [], AMOUNTS],
  ['cents', [1.5], decimals, WHOLE],
  ['the largest amount', [999_999_999_999], AMOUNTS.slice(2), []],
  ['a phone', ['254712345678'], [...PHONES, ...TYPED], []],
  ['a phone as people write it', ['0712345678', '+254712345678', '254 712 345 678'], TYPED, PHONES],
  [
    'no phone',
    ['25471234567', '2547123456789', '0712', '   ', '0712\0', '٢٥٤٧١٢٣٤٥٦٧٨', '2'.repeat(16)],
    [],
    [...PHONES, ...TYPED],
  ],
  ['a phone of another country', ['255612345678', '+237670000000', '4471234'], TYPED, PHONES],
  ['blank texts', ['', '   '], ['field of a record'], [...TEXTS, ...REFERENCES, ...ACCOUNTS, ...WORLDS]],
  ['texts of 300 letters', ['a'.repeat(300)], [...TEXTS, 'field of a record'], [...REFERENCES, ...ACCOUNTS, ...WORLDS]],
  ['texts that are too long', ['a'.repeat(1001)], [], [...TEXTS, ...REFERENCES, ...ACCOUNTS, 'field of a record']],
  ['control characters and emoji', ['a\0b', '😀'], [...TEXTS, ...REFERENCES, ...ACCOUNTS, 'field of a record'], WORLDS],
  ['what is no text', [5, true, {}], [], [...TEXTS, ...REFERENCES, ...ACCOUNTS, ...WORLDS, 'field of a record']],
])('keeps one rule at every door: %s', async (_name, values, taken, refused) => {
  const world = await bench.world()
  const wrong: string[] = []
  for (const [names, isTaken] of [[taken, true] as const, [refused, false] as const])
    for (const name of names)
      for (const value of values) {
        const { status, text } = await (doors[name] as Door)(world, value)
        if (status < 400 !== isTaken || status >= 500)
          wrong.push(`${name}: ${JSON.stringify(value)}: ${status} ${text}`)
      }
  expect(wrong).toEqual([])
})

it('names the field that no record has, as a scenario does', async () => {
  const world = await bench.world()
  const { requestId } = (await send(world, {})).body.data
  const { status, body } = await control(world, `/payments/${requestId}/resolve`, {
    ...{ status: 'FAILED', with: { receiverNam: 'x' } },
  })
  expect([status, body.error.details]).toEqual([
    400,
    expect.stringMatching(/^with: "receiverNam" is not a field .+ Did you mean "receiverName"\?$/),
  ])
})

// What a request is refused for first: the order that the list of facts gives is the order in which it is checked.

const API = '/api/sandbox/v1'

/** Requests for which two stages have something to say, and what the first of them says. */
const pairs: [string, string, (world: Awaited<ReturnType<typeof bench.world>>) => Promise<unknown>, string][] = [
  ['path', 'token', (world) => world.raw('POST', `${API}/nothing`), '404 RESOURCE_NOT_FOUND'],
  ['token', 'headers', (world) => world.raw('GET', '/api/v1/tz/spending/single?requestId=x'), '401 AUTH_MISSING_TOKEN'],
  ['token', 'body', (world) => world.raw('POST', `${API}/till`, { body: 'no JSON' }), '401 AUTH_MISSING_TOKEN'],
  ['headers', 'fields', (world) => world.get('/api/v1/tz/spending/single'), '400 REQ_MISSING_FIELD'],
  [
    'age',
    'body',
    async (world) => {
      const token = await world.token()
      await world.control('POST', '/clock/advance', { by: '6m' })
      return world.post(`${API}/till`, 'no JSON', { token })
    },
    '401 AUTH_INVALID_TOKEN',
  ],
  [
    'fields',
    'resource',
    (world) => world.get(`${API}/send-money/single?requestId=x&companyId=00000000-0000-4000-8000-00000000000x`),
    '400 REQ_INVALID_FIELD',
  ],
  [
    'resource',
    'rules',
    (world) =>
      world.post(`${API}/allocations/new`, {
        fromOrganisationId: world.companyId,
        toOrganisationId: '00000000-0000-4000-8000-0000000000aa',
        amount: 423.01,
      }),
    '404 RESOURCE_NOT_FOUND',
  ],
  [
    'rules',
    'funds',
    (world) => world.post(`${API}/till`, { ...bodies.till('http://localhost:1'), amount: 9_000_423.01 }),
    '423 RESOURCE_LOCKED',
  ],
]

it.each(pairs)('tells %s before %s', async (first, second, ask, expected) => {
  const order = Object.keys(stages)
  expect(order.indexOf(first)).toBeGreaterThanOrEqual(0)
  expect(order.indexOf(first)).toBeLessThan(order.indexOf(second))
  const rules = [
    { name: 'locked', on: 'till', when: 'request.amount > 9000000', then: { refuse: { code: 'RESOURCE_LOCKED' } } },
  ]
  const world = await bench.world({ scenario: { ...assuming({}).scenario, rules } })
  expect(verdict((await ask(world)) as never)).toBe(expected)
})
