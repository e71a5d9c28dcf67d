import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { ServiceClient } from '../../../src/client/service.gen.ts'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import type { Contract } from '../../../src/http/contract.ts'
import type { Chosen } from '../../../src/service/assumptions/assumptions.ts'
import { examplesAt } from '../../../src/service/examples/examples.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { operationsOf, places, refsOf, withoutBasis } from './walk.ts'

const everything = {
  'refresh-token': 'on',
  'unlisted-operations': 'on',
  'callback-signature': 'standard-webhooks',
} as const

/** As it comes over the wire. */
function contract(changes: Partial<Chosen> = {}): Contract {
  const assumptions = { ...defaultsOf(paymentsService.assumptions), ...changes }
  const baseUrl = 'http://localhost:8080'
  const examples = examplesAt(baseUrl)
  return JSON.parse(JSON.stringify(paymentsService.contract({ baseUrl, version: '1.2.3', assumptions, examples })))
}

function statusesOf(document: Contract, id: string): string[] {
  return Object.keys(operationsOf(document).find(({ operationId }) => operationId === id)?.responses ?? {})
}

describe.each([
  ['by default', {}],
  ['with everything on', everything],
  ['with other forms', { 'error-body': 'flat', 'checkout-error-body': 'nested', 'final-callback': 'pending-too' }],
] as [string, Partial<Chosen>][])('the contract %s', (_name, changes) => {
  const document = contract(changes)

  it('says of everything how it is known', () => {
    expect(withoutBasis(document)).toEqual([])
  })

  it('holds only schemas that a validator accepts, and examples that they accept', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.addSchema({ $id: 'contract', components: document.components })
    for (const { where, schema, example } of places(document)) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')))
      if (example !== undefined) expect([where, validate(example), validate.errors]).toEqual([where, true, null])
    }
  })

  it('refers to nothing that is not there', () => {
    for (const ref of refsOf(document)) {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
      expect(found, ref).toBeDefined()
    }
  })

  it('has the parameters of its paths, one name per operation, a tag that is listed and an answer for each', () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const named = operation.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? []
        expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
        expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags))
        expect(Object.keys(operation.responses)[0]).toMatch(/^20[01]$/)
        if (operation.requestBody)
          expect(operation.requestBody.content['application/json']?.example, `${method} ${path}`).toBeDefined()
      }
    }
  })
})

it('counts the lives of tokens in whole seconds', () => {
  const { expires_in, refresh_expires_in } = contract().components.schemas['TokenData']?.properties ?? {}
  for (const life of [expires_in, refresh_expires_in]) expect([life?.type, life?.const]).toEqual(['integer', undefined])
})

it('is the same text every time', () => {
  expect(JSON.stringify(contract())).toBe(JSON.stringify(contract()))
})

it('shows operations that hang on an assumption only while it is made', () => {
  const shown = (changes: Partial<Chosen>) => operationsOf(contract(changes)).map(({ operationId }) => operationId)
  const always = paymentsService.operations.filter(({ only }) => !only).map(({ id }) => id)
  expect(shown({}).sort()).toEqual(always.sort())
  expect(shown(everything).sort()).toEqual(paymentsService.operations.map(({ id }) => id).sort())
  const refresh = contract(everything).paths['/api/v1/refresh-token']?.['post']
  expect(refresh?.['x-assumption']).toEqual({ id: 'refresh-token', value: 'on' })
})

it('would see a field that does not say how it is known', () => {
  const document = contract()
  delete document.components.schemas['SendMoneyRequest']?.properties?.['amount']?.['x-basis']
  expect(withoutBasis(document)).toEqual(['SendMoneyRequest.amount'])
})

it('prints requests as they are checked', () => {
  const { schemas } = contract().components
  expect(schemas['SendMoneyRequest']?.properties).toMatchObject({
    amount: { type: 'number', exclusiveMinimum: 0 },
    // null is as good as nothing, and a client need not send what has a default.
    currencyCode: { type: ['string', 'null'], enum: ['KSH', 'TZS', 'UGX', null] },
    remarks: { type: ['string', 'null'], minLength: 1, pattern: '\\S' },
    callbackUrl: { type: ['string', 'null'], pattern: expect.stringMatching(/^\^\[Hh\]\[Tt\]\[Tt\]\[Pp\]\[Ss\]\?:/) },
  })
  expect(schemas['SendMoneyRequest']?.oneOf).toMatchObject([
    { title: 'KSH', required: ['remarks', 'occasion', 'callbackUrl'], properties: { remarks: { type: 'string' } } },
    {
      title: 'TZS',
      properties: { amount: { minimum: 1000 }, serviceCode: { enum: expect.arrayContaining(['TZ-TIGO-B2C']) } },
    },
    { title: 'UGX', required: ['currencyCode', 'narration', 'customerName'] },
  ])
  expect(schemas['SendMoneyRequest']?.required).toEqual(['phoneNumber', 'amount'])
  expect(schemas['AllocationRequest']?.properties?.['fromOrganisationId']).toMatchObject({
    type: 'string',
    format: 'uuid',
  })
})

it('gives errors the form that is in force, and checkout its own', () => {
  const form = (changes: Partial<Chosen>, id: string) =>
    operationsOf(contract(changes)).find(({ operationId }) => operationId === id)?.responses['400']?.$ref
  expect(form({}, 'createSendMoney')).toMatch(/^#\/components\/responses\/ErrorNested400(?:-\d)?$/)
  expect(form({}, 'createCheckoutSession')).toContain('/ErrorFieldList400')
  expect(form({ 'error-body': 'flat' }, 'createSendMoney')).toContain('/ErrorFlat400')
  expect(Object.keys(contract().components.schemas)).toEqual(
    expect.arrayContaining(['ErrorNested', 'ErrorFlat', 'ErrorFieldList']),
  )
})

it('names the answers that assumptions decide', () => {
  expect(statusesOf(contract(), 'getToken')).toContain('401')
  expect(statusesOf(contract({ 'bad-credentials': 'AUTH_FORBIDDEN' }), 'getToken')).toContain('403')
  expect(statusesOf(contract(), 'createSendMoney')).toContain('415')
  expect(statusesOf(contract({ 'unsupported-media-type': 'accept' }), 'createSendMoney')).not.toContain('415')
  expect(contract({ 'bank-collection-callback': 'none' }).webhooks).toBeUndefined()
})

it('secures everything but the token', () => {
  const open = operationsOf(contract(everything)).filter(({ security }) => security?.length === 0)
  expect(open.map(({ operationId }) => operationId)).toEqual(['getToken', 'refreshToken'])
})

it('names callbacks and webhooks like operations', () => {
  const document = contract(everything)
  const told = operationsOf(document).flatMap(({ callbacks }) =>
    Object.values(callbacks ?? {}).flatMap((one) => Object.values(one).map(({ post }) => post.operationId)),
  )
  expect(told).toContain('createSendMoneyOutcome')
  expect(document.webhooks?.['bankCollection']?.post.operationId).toBe('bankCollectionWebhook')
})

it('describes refusals that come before an operation', () => {
  expect(statusesOf(contract(), 'createTillPayment')).toEqual(expect.arrayContaining(['405', '413']))
  expect(statusesOf(contract({ 'unsupported-method': '404' }), 'createTillPayment')).not.toContain('405')
})

it('leads generators of clients to leave out what may be left out', () => {
  // openapi-typescript, for one, takes a field with a default for required.
  const document = contract(everything)
  expect(document.components.schemas['SendMoneyRequest']?.properties?.['currencyCode']).toMatchObject({
    'x-default': 'KSH',
    'x-constraints': { 'x-default': { 'x-basis': 'published' } },
  })
  const withoutAnswers = JSON.stringify(document, (key, value) => (key === 'responses' ? undefined : value))
  expect(withoutAnswers).not.toContain('"default":')
  type Payout = Parameters<ServiceClient['createSendMoney']>[0]
  type Collection = Parameters<ServiceClient['createStkCollection']>[0]
  const asked = { phoneNumber: '254745362174', amount: 10, callbackUrl: 'https://merchant.example/callback' }
  expectTypeOf({ ...asked, remarks: 'r', occasion: 'o' }).toExtend<Payout>()
  expectTypeOf({ ...asked, accountReference: 'a', description: 'd' }).toExtend<Collection>()
  expectTypeOf(asked).not.toExtend<Payout>()
  expectTypeOf({ ...asked, description: 'd' }).not.toExtend<Collection>()
})
