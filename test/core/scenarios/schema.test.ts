// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarioSchemaText } from '../../../src/core/schema-problems.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { shippedNames, shippedText } from './support.ts'

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
      if (!property.description && !/^[A-Z]{3}$/.test(name)) silent.push(`${path}.${name}`)
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

  it('would not, with a word mistyped', () => {
    expect(validate(parse(shippedText('default').replace('  - name:', '  - nmae:')))).toBe(false)
  })
})
