import { expect, it } from 'vitest'
import { type Assumptions, defaultsOf } from '../../../src/core/model/assumption.ts'
import { must } from '../../../src/core/model/must.ts'
import type { Contract, Fact } from '../../../src/http/contract.ts'
import { constraintWords, type Grounded, type JsonSchema, resolved } from '../../../src/http/json-schema.ts'
import { assumptions } from '../../../src/service/assumptions/assumptions.ts'
import { conventions } from '../../../src/service/assumptions/conventions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { sample } from '../../support/fast-check.ts'
import { useBench } from '../../support/harness.ts'
import { specifiedConstraints, specifiedFields } from './specified.ts'
import { operationsOf, places, schemasBelow } from './walk.ts'

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

type Constraint = Record<string, string | undefined>

const isAskedAt = (where: string) => / (?:query|header) /.test(where) && !/ callback |^webhook/.test(where)

/** Whether a field is required says something about the service only where the field is sent to it. */
function constraintsOf(of: Contract): Constraint[] {
  const requests = operationsOf(of).map(({ requestBody }) => requestBody)
  const asked = schemasBelow(of, requests)
  const look = (field: string, schema: JsonSchema, isNeeded: boolean, isAsked: boolean): Constraint[] => {
    const here = constraintWords.filter((word) => (word === 'required' ? isNeeded && isAsked : word in schema))
    const own = here.map((constraint) => {
      const on: Partial<Grounded> = schema['x-constraints']?.[constraint] ?? {}
      const { 'x-basis': basis, 'x-assumption': assumption, 'x-convention': convention } = on
      const value = constraint === 'required' ? 'true' : JSON.stringify(schema[constraint])
      return { field, constraint, value, basis, assumption, convention }
    })
    const parts = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      look(`${field}.${name}`, one, schema.required?.includes(name) ?? false, isAsked),
    )
    const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) =>
      look(one['title'] === 'referenceId' ? field : [field, one['title']].join(' ').trim(), one, false, isAsked),
    )
    return [...own, ...parts, ...others, ...(schema.items ? look(`${field}[]`, schema.items, false, isAsked) : [])]
  }
  return places(of).flatMap(({ where, schema, required = false }) =>
    look(where.replace(/ 20\d$/, ' answer'), schema, required, asked.has(where) || isAskedAt(where)),
  )
}

const ungrounded = (of: Contract) =>
  constraintsOf(of).filter(
    ({ basis, assumption, convention }) =>
      basis === undefined ||
      (basis === 'assumed') !==
        (Object.hasOwn(assumptions, assumption ?? '') || Object.hasOwn(conventions, convention ?? '')),
  )

it('knows of every constraint what it rests on', () => {
  expect(ungrounded(contract())).toEqual([])
})

it.each(sample(Object.entries(assumptions)))('knows it under every alternative of %s', (id, { alternatives }) => {
  for (const alternative of alternatives.slice(1)) {
    const document = contract({ [id]: alternative })
    expect([alternative, ungrounded(document)]).toEqual([alternative, []])
    const invented = constraintsLabelled(document)
      .map(withoutValue)
      .filter((one) => !shown.has(one))
    expect([alternative, invented]).toEqual([alternative, []])
  }
})

/** As the list writes them. The pattern of a uuid says the same as its format. */
function constraintsLabelled(of: Contract): string[] {
  const labelled = constraintsOf(of).filter(({ basis }) => basis === 'specified')
  const uuids = new Set(labelled.filter(({ value }) => value === '"uuid"').map(({ field }) => field))
  return labelled
    .filter(({ field, constraint }) => constraint !== 'pattern' || !uuids.has(field))
    .map(({ field, constraint, value }) => `${field} ${constraint} ${value}`)
}

/** An alternative may print `enum` for `const`, round a bound, and print a record in its place. */
const withoutValue = (line: string) =>
  line
    .replace(/ (?:const|enum) .*$/, ' value')
    .replace(/( minimum) .*$/, '$1')
    .replace('SubAccountRequest.user.', 'SubAccountUser.')
const shown = new Set(specifiedConstraints.map(withoutValue))

/** A field of a record that refers to another record is as known as that one. */
function fieldsLabelled(of: Contract): string[] {
  const { schemas } = of.components
  const found: string[] = []
  const look = (where: string, { properties = {}, items, anyOf = [], oneOf = [] }: JsonSchema, inRecord: boolean) => {
    for (const [name, field] of Object.entries(properties)) {
      const basis = (inRecord ? resolved(field, schemas) : field)['x-basis']
      if (basis === 'specified') found.push(`${where}.${name}`)
      look(`${where}.${name}`, field, inRecord)
    }
    for (const one of [...(items ? [items] : []), ...anyOf, ...oneOf]) look(where, one, inRecord)
  }
  for (const { operationId, parameters = [], responses } of operationsOf(of)) {
    for (const { name, in: place, 'x-basis': basis } of parameters)
      if (basis === 'specified') found.push(`${operationId} ${place} ${name}`)
    for (const { content } of Object.values(responses))
      if (content) look(`${operationId} answer`, must(content['application/json']).schema, false)
  }
  for (const [id, schema] of Object.entries(schemas)) look(id, schema, true)
  return found
}

it('labels as specified what the specification shows, no more and no less', () => {
  const document = contract()
  expect(fieldsLabelled(document).sort()).toEqual([...specifiedFields].sort())
  expect(constraintsLabelled(document).sort()).toEqual([...specifiedConstraints].sort())
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

it('tells them beside the fields', async () => {
  const world = await bench.world()
  const { body } = await world.raw('GET', '/openapi.json')
  expect(body.components.schemas.TillRequest.properties.remarks['x-constraints']).toEqual({
    required: { 'x-basis': 'published' },
    minLength: { 'x-basis': 'assumed', 'x-assumption': 'blank-text' },
    pattern: { 'x-basis': 'assumed', 'x-assumption': 'blank-text' },
    maxLength: { 'x-basis': 'published' },
  })
})

// Nothing about the service is known without saying how.

const { facts } = paymentsService

const groundless = (listed: readonly Fact[]) =>
  listed
    .filter(
      ({ basis, assumption, convention, byScenario, source }) =>
        (basis === 'assumed' &&
          !byScenario &&
          !Object.hasOwn(assumptions, assumption ?? '') &&
          !Object.hasOwn(conventions, convention ?? '')) ||
        ((basis === 'specified' || basis === 'published') && !source),
    )
    .map(({ about, name }) => `${about} ${name}`)

it('rests every fact on a source with its place, on an assumption or convention that there is, or on a scenario', () => {
  expect(facts.length).toBeGreaterThan(80)
  expect(groundless(facts)).toEqual([])
  const one = { ...(facts[0] as Fact), convention: null }
  expect(groundless([{ ...one, name: 'planted', basis: 'assumed', assumption: 'none such' }])).toEqual([
    'order planted',
  ])
  expect(groundless([{ ...one, name: 'planted', basis: 'published', source: null }])).toEqual(['order planted'])
})
