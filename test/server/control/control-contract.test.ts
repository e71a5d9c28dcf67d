import { expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/http/json-schema.ts'
import { controlDocument } from '../../support/control-check.ts'
import { useBench } from '../../support/harness.ts'

// That every answer which any test sees keeps to the contract is seen to in test/support/harness.ts.

const bench = useBench()

it('has every route that the control plane lists, each with its answer', async () => {
  const world = await bench.world()
  const { operations } = await world.control('GET', '/')
  const { paths } = (await world.raw('GET', '/_mfano/openapi.json')).body
  const told = Object.entries(paths as object).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  // `/_mfano/` is `/_mfano` in another spelling, and a path of a contract ends in no slash.
  expect(told.sort()).toEqual(operations.filter((one: string) => !one.endsWith('/')).sort())
  const withoutAnswer = Object.entries(controlDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).every(
        ([status, { content }]) => status >= '300' || Object.keys(content ?? {}).length > 0,
      )
        ? []
        : [`${method} ${path}`],
    ),
  )
  expect(withoutAnswer).toEqual([])
})

it('says of each operation what it is for, and of each parameter and field what it means', () => {
  const wordless: string[] = []
  const look = (schema: JsonSchema, at: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (field.description === undefined) wordless.push(`${at}.${name}`)
      look(field, `${at}.${name}`)
    }
  }
  for (const [path, methods] of Object.entries(controlDocument().paths)) {
    for (const [method, { summary, parameters = [], requestBody }] of Object.entries(methods)) {
      const at = `${method} ${path}`
      expect(summary, at).toMatch(/^[A-Z][^\n]{5,100}[^.]$/)
      for (const one of parameters) if (one.description === undefined) wordless.push(`${at}?${one.name}`)
      const schema = requestBody?.content['application/json']?.schema
      if (schema) look(schema, at)
    }
  }
  expect(wordless).toEqual([])
})

it('says of names of worlds and snapshots what is held to', async () => {
  const world = await bench.world()
  const { paths } = (await world.raw('GET', '/_mfano/openapi.json')).body
  const ruleOf = (path: string, field: string) =>
    paths[path].post.requestBody.content['application/json'].schema.properties[field]
  const names = ['shop-1', 'a', 'x'.repeat(63), 'x'.repeat(64), 'Shop', 'a.b', 'a_b', '-a', 'a-']
  for (const name of names) {
    const { pattern, maxLength } = ruleOf('/_mfano/snapshots', 'name')
    expect(ruleOf('/_mfano/worlds', 'id')).toMatchObject({ pattern, maxLength })
    const told = new RegExp(pattern).test(name) && name.length <= maxLength
    expect([name, (await world.raw('POST', '/_mfano/snapshots', { body: { name } })).status === 201]).toEqual([
      name,
      told,
    ])
  }
})
