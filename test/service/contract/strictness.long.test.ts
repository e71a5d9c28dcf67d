/** The contract takes what the service takes, and refuses what it refuses: drawn bodies are held against both. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import { Refusal } from '../../../src/core/model/refusal.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { unknownFields } from '../../../src/http/validate.ts'
import type { Chosen } from '../../../src/service/assumptions/assumptions.ts'
import { paymentsService } from '../../../src/service/service.ts'

const texts = fc.constantFrom(
  '',
  ' ',
  'x',
  'Here are the remarks',
  'x'.repeat(14),
  'x'.repeat(101),
  '💸'.repeat(13),
  'x'.repeat(1001),
  '254712345678',
  '+254 712-345-678',
  ...'0712345678 255754362174 256772362174 12345 1032 0025 KSH KES TZS UGX TZ-TIGO-B2C TZ-AIRTEL-C2B'.split(' '),
  ...'jon@merchant.example +254700000200'.split(' '),
)
const urls = fc.constantFrom(
  ...'https://merchant.example/callback http://localhost:3000/a?b=c#d http:// ftp://merchant.example/'.split(' '),
  ...'http://127.0.0.1:99999/ http://10.0.0.1/x http://user:pw@merchant.example/'.split(' '),
  ...'HTTPS://MERCHANT.EXAMPLE'.split(' '),
  'https://merchant.example/a b',
  ...'http://1.2.3/ http://[::1]:8080/callback http://[2001:db8::1:2:3:4:5]/ http://[:::]/'.split(' '),
  ...'http://[1:2:3:4:5:6:7:8:9]/ http://xn--mller-kva.example/ https://xn--a.example/'.split(' '),
)
const amounts = fc.constantFrom(
  ...[
    0, -1, 1, 0.01, 0.005, 10, 10.5, 99.99, 999, 1000, 1500.75, 1.005, 1.15, 0.07, 4.35, 10.000000001, 1e-7, 0.0049,
    999.995, 999_999_999_999.994, 1e12, 999_999_999_999.99,
  ],
)
const uuids = fc.constantFrom(
  '00000000-0000-4000-8000-000000000001',
  '7D0C1C8E-3A54-4C0E-9F5B-2F1D1F4F8A10',
  '7d0c1c8e',
)
const lists = fc.constantFrom([], ['CARD'], ['CARD', 'CARD'], ['CARD', 'MPESA_STK'], ['CASH'])
const numbersInText = fc.constantFrom(
  ...'100 100.50 0 0.00 0.01 007 10.005 -5'.split(' '),
  ' 5',
  '1e3',
  '1000.00',
  '999',
  '1234567890123',
)
const values = fc.oneof(
  { weight: 4, arbitrary: texts },
  urls,
  amounts,
  uuids,
  lists,
  numbersInText,
  fc.constantFrom(null, true, {}, [1]),
  // Numbers that a lenient reader takes for text, or for none.
  fc.constantFrom(254712345678, 255754362174, 12345, 1032, 123456, 99999999999, 0, 12.5, -7, 1e15, 1e21),
)

/** The example of an operation, with some fields changed, left out, or taken from that of another currency. */
function bodies({ body, example }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const shape = (body as unknown as { shape: object }).shape
  const names = fc.constantFrom(...Object.keys(shape))
  const given = example?.('http://localhost:8080') as Record<string, unknown>
  const foreign = fc.constantFrom(
    {},
    {
      currencyCode: 'TZS',
      phoneNumber: '255754362174',
      narration: 'n',
      firstName: 'f',
      lastName: 'l',
      serviceCode: 'TZ-TIGO-B2C',
      channel: 'TZ-TIGO-C2B',
    },
    { currencyCode: 'UGX', phoneNumber: '256772362174', narration: 'n', customerName: 'c' },
    { currencyCode: undefined },
    { currencyCode: null },
  )
  // A field that no source names, and of the user of a sub-account every one of its own.
  const unnamed = fc.constant('memo')
  const inUser = fc.tuple(fc.constantFrom('username', 'roles', 'email', 'userType', 'memo'), values)
  const user = inUser.map(([name, value]) => ['user', { ...(given['user'] as object), [name]: value }] as const)
  const changed = fc.tuple(fc.oneof({ weight: 9, arbitrary: names }, unnamed), fc.oneof(values, fc.constant(undefined)))
  const changes = fc.array('user' in given ? fc.oneof(changed, user) : changed, { maxLength: 3 })
  return fc.tuple(foreign, changes).map(([other, some]) => {
    const drawn = { ...given, ...('currencyCode' in shape ? other : {}), ...Object.fromEntries(some) }
    return JSON.parse(JSON.stringify(drawn))
  })
}

const choices: [string, Partial<Chosen>][] = [
  ['by default', {}],
  ['with documented limits and lenient phones', { 'documented-limits': 'refuse', 'phone-format': 'lenient' }],
  ['with other forms', { 'short-code-format': 'any', 'bank-code-format': 'four-digits', 'null-fields': 'refuse' }],
  ['that converts', { 'number-forms': 'convert' }],
  [
    'that converts all that it can',
    {
      'number-forms': 'convert',
      'phone-format': 'lenient',
      'documented-limits': 'refuse',
      'whole-shillings': 'whole',
      'short-code-format': 'five-to-seven-digits',
      'bank-code-format': 'any',
    },
  ],
  ['that knows no other fields', { 'unknown-fields': 'refuse', 'blank-text': 'absent' }],
  [
    'that asks for little',
    {
      'blank-text': 'accept',
      'required-fields': 'few',
      'url-rules': 'https-only',
    },
  ],
  ['that cuts', { decimals: 'cut' }],
  ['that rounds', { decimals: 'round', 'number-forms': 'convert' }],
]
const asking = paymentsService.operations.filter(({ body }) => body !== undefined)

/** As JSON Schema means it: of decimal numbers, which binary ones come near. */
function isMultiple(of: number, value: number): boolean {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [, decimals = ''] = digits.split('.')
  const places = Math.max(0, decimals.length - Number(exponent))
  return of === 1 ? places === 0 : places <= 2
}

/** A judge of JSON Schema that is exact, and knows the words that the contract adds. */
function judge(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', validate: isMultiple })
  ajv.addKeyword({
    keyword: 'x-differs-from',
    validate: (other: string, value: unknown, _schema: unknown, context?: { parentData: Record<string, unknown> }) =>
      context?.parentData[other] !== value,
  })
  return ajv
}

describe.each(choices)('the contract %s', (_name, changes) => {
  const assumptions = {
    ...defaultsOf(paymentsService.assumptions),
    'unlisted-operations': 'on',
    'refresh-token': 'on',
    ...changes,
  } as const
  const document = paymentsService.contract({ baseUrl: 'http://localhost:8080', version: '', assumptions })
  const ajv = judge()
  ajv.addSchema({ $id: 'contract', components: JSON.parse(JSON.stringify(document.components)) })

  it.each(asking.map((operation) => [operation.id, operation] as const))(
    'takes for %s what the service takes',
    (_id, operation) => {
      const media = document.paths[operation.path]?.[operation.method]?.requestBody?.content['application/json']
      const validate = ajv.compile(JSON.parse(JSON.stringify(media?.schema).replaceAll('"#/', '"contract#/')))
      fc.assert(
        fc.property(bodies(operation), (body) => {
          expect([body, validate(body)]).toEqual([body, isRead(operation, body)])
        }),
        { numRuns: 200, seed: 11 },
      )
    },
  )

  function isRead({ body: schema }: Operation, body: object): boolean {
    try {
      const read = paymentsService.read(schema as NonNullable<typeof schema>, body, assumptions)
      const unknown = unknownFields(body, read)
      if (unknown.length > 0) paymentsService.refuseUnknown(unknown, assumptions)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
})
