import { expect, it } from 'vitest'
import { type Assumptions, defaultsOf } from '../../../src/core/model/assumption.ts'
import { type Contract, constraintsOf } from '../../../src/http/contract.ts'
import { constraintWords } from '../../../src/http/json-schema.ts'
import { assumptions } from '../../../src/service/assumed/assumptions.ts'
import { conventions } from '../../../src/service/assumed/conventions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { sample } from '../../support/fast-check.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

/** The contract as it comes over the wire, with every operation and callback. */
function contract(changes: Record<string, string> = {}): Contract {
  const everything = {
    'refresh-token': 'on',
    'unlisted-operations': 'on',
    'callback-signature': 'standard-webhooks',
    'final-callback': 'pending-too',
    ...changes,
  }
  const inForce = { ...defaultsOf(assumptions), ...everything } as Assumptions
  return JSON.parse(
    JSON.stringify(paymentsService.contract({ baseUrl: 'http://localhost', version: '1', assumptions: inForce })),
  )
}

const ungrounded = (of: Contract) =>
  constraintsOf(of).filter(
    ({ basis, assumption, convention }) =>
      basis === null ||
      (basis === 'assumed') !==
        (Object.hasOwn(assumptions, assumption ?? '') || Object.hasOwn(conventions, convention ?? '')),
  )

it('knows of every constraint what it rests on', () => {
  expect(ungrounded(contract())).toEqual([])
})

it.each(sample(Object.entries(assumptions)))('knows it under every alternative of %s', (id, { alternatives }) => {
  for (const alternative of alternatives.slice(1))
    expect([alternative, ungrounded(contract({ [id]: alternative }))]).toEqual([alternative, []])
})

it('finds constraints wherever they stand', () => {
  const found = new Set(constraintsOf(contract()).map(({ field, constraint }) => `${field} ${constraint}`))
  for (const one of [
    'TillRequest.remarks required',
    'TillRequest.remarks maxLength',
    'SubAccountUser.roles[] maxLength',
    'SubAccountRequest.user required',
    'getSendMoney query companyId required',
    'getTanzaniaPayout header Device-Id pattern',
    'CheckoutSession.paymentMethods[] enum',
    'getBankPayout answer.data maxItems',
  ])
    expect([...found]).toContain(one)
})

it('would see a constraint that rests on nothing, or on an assumption that is none', () => {
  const document = contract()
  const till = document.components.schemas['TillRequest']?.properties ?? {}
  for (const word of constraintWords) delete till['remarks']?.['x-constraints']?.[word]
  till['occasion'] = {
    ...till['occasion'],
    'x-constraints': { pattern: { 'x-basis': 'assumed', 'x-assumption': 'x' } },
  }
  expect(ungrounded(document).map(({ field, constraint }) => `${field} ${constraint}`)).toEqual(
    ['remarks', 'occasion'].flatMap((field) =>
      ['required', 'minLength', 'maxLength', 'pattern'].map((word) => `TillRequest.${field} ${word}`),
    ),
  )
})

it('tells them beside the fields, and in the fidelity report', async () => {
  const world = await bench.world()
  const { body } = await world.raw('GET', '/openapi.json')
  expect(body.components.schemas.TillRequest.properties.remarks['x-constraints']).toEqual({
    required: { 'x-basis': 'published' },
    minLength: { 'x-basis': 'assumed', 'x-assumption': 'blank-text' },
    pattern: { 'x-basis': 'assumed', 'x-assumption': 'blank-text' },
    maxLength: { 'x-basis': 'published' },
  })
  const { constraints } = await world.control('GET', '/fidelity')
  expect(constraints).toContainEqual({
    field: 'TillRequest.remarks',
    constraint: 'maxLength',
    value: '100',
    basis: 'published',
    assumption: null,
    convention: null,
  })
  expect(constraints).toContainEqual({
    field: 'TokenRequest.apiKey',
    constraint: 'maxLength',
    value: '200',
    basis: 'assumed',
    assumption: null,
    convention: 'limits that no source shows',
  })
})
