/** Both contracts in OpenAPI 3.0, as a validator that knows only its schema reads them. */

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { inForm } from '../../src/server/control/openapi-30.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()

async function problemsOf(document: object): Promise<unknown> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...document })
  expect(validator.version).toBe('3.0')
  return valid ? [] : errors
}

it.each([
  ['of the service', '/openapi.json', {}],
  [
    'of the service with everything on',
    '/openapi.json',
    { 'unlisted-operations': 'on', 'refresh-token': 'on', 'callback-signature': 'standard-webhooks' },
  ],
  ['of a service that converts', '/openapi.json', { 'number-forms': 'convert', 'unknown-fields': 'refuse' }],
  ['of the control plane', '/_mfano/openapi.json', {}],
])('is valid as OpenAPI 3.0: the contract %s', async (_, path, assumptions) => {
  const world = await bench.world(assuming(assumptions))
  const [usual, old] = [await world.raw('GET', path), await world.raw('GET', `${path}?as=3.0`)]
  expect([usual.body.openapi, old.body.openapi]).toEqual(['3.1.1', '3.0.3'])
  expect(await problemsOf(old.body)).toEqual([])
  expect(Object.keys(old.body.paths)).toEqual(Object.keys(usual.body.paths))
  expect(Object.keys(old.body['x-webhooks'] ?? {})).toEqual(Object.keys(usual.body.webhooks ?? {}))
})

it.each(['/openapi.json', '/_mfano/openapi.json'])('refuses another version at %s', async (path) => {
  const answered = await (await bench.world()).raw('GET', `${path}?as=2.0`)
  expect([answered.status, answered.text]).toEqual([400, expect.stringMatching(/as: .*3\.1.*3\.0|as: .*3\.0.*3\.1/)])
})

const schemas = {
  A: { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false },
}

/** What 3.1 says, and what 3.0 says instead. */
it.each([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  [{ type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
  [{ const: 5 }, { enum: [5] }],
  [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'd' },
    { type: 'integer', description: 'd', nullable: true },
  ],
  [
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
    { nullable: true, allOf: [{ $ref: '#/components/schemas/A' }] },
  ],
  [
    { $ref: '#/components/schemas/A', description: 'd' },
    { allOf: [{ $ref: '#/components/schemas/A' }], description: 'd' },
  ],
  [
    { type: 'string', anyOf: [{ minLength: 3 }, { pattern: 'x' }] },
    {
      type: 'string',
      anyOf: [
        { type: 'string', minLength: 3 },
        { type: 'string', pattern: 'x' },
      ],
    },
  ],
  [
    { properties: { const: { const: 1 }, type: { type: 'string' } } },
    { properties: { const: { enum: [1] }, type: { type: 'string' } } },
  ],
])('says %j as %j', (schema, expected) => {
  const info = { title: 't', version: '1', license: { name: 'MIT', identifier: 'MIT' } }
  const document = inForm(
    { openapi: '3.1.1', info, paths: {}, components: { schemas: { ...schemas, One: schema } } },
    '3.0',
  )
  expect(document).toHaveProperty('components.schemas.One', expected)
})

it('keeps examples and extensions as they are', async () => {
  const world = await bench.world()
  const kept = async (path: string) => {
    const found: string[] = []
    JSON.parse((await world.raw('GET', path)).text, (key, value) => {
      if (key === 'example' || key === 'x-assumptions' || key === 'x-facts') found.push(JSON.stringify(value))
      // 3.0 has one example for a schema.
      if (key === 'examples') found.push(JSON.stringify(value[0]))
      return value
    })
    return found.sort()
  }
  const usual = await kept('/openapi.json')
  expect(usual.length).toBeGreaterThan(80)
  expect(await kept('/openapi.json?as=3.0')).toEqual(usual)
})
