/** What records always say, and how their references begin, is in the contract, with what it rests on. */

import { expect, it } from 'vitest'
import { everyOperation, recordExamples } from '../../../install/generate/examples.ts'
import { must } from '../../../src/core/model/must.ts'
import { DEFAULT_ORGANISATION } from '../../../src/core/model/payment.ts'
import { type JsonSchema, resolved } from '../../../src/http/json-schema.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

interface Recorded {
  operations: Record<string, { answer: unknown; callback?: unknown; request?: unknown; parameters?: unknown }>
  webhooks: Record<string, unknown>
}

type Leaf = string | number | null

/** Two worlds that have nothing in common but what they are asked. */
async function recordedTwice(): Promise<[Recorded, Recorded]> {
  const recordedIn = async (seed: number, start: string) => {
    const world = await bench.world({ seed, clock: { mode: 'frozen', start }, ...assuming(everyOperation) })
    return JSON.parse(await recordExamples(world, '{baseUrl}')) as Recorded
  }
  return [await recordedIn(1, '2025-01-24T16:28:00'), await recordedIn(2, '2026-03-05T09:07:31')]
}

/** Every text, number and null below a value, with its place; of a list, those of its first entry. */
function leaves(value: unknown, at = ''): [string, Leaf][] {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return [[at, value]]
  if (Array.isArray(value)) return leaves(value[0] ?? '', `${at}[]`)
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => leaves(one, at === '' ? name : `${at}.${name}`))
}

/** The schema at a place. */
function schemaAt(schema: JsonSchema, place: string, schemas: Record<string, JsonSchema>): JsonSchema {
  let at = resolved(schema, schemas)
  for (const step of place.replaceAll('[]', '.[]').split('.').filter(Boolean)) {
    const among = [at, ...(at.anyOf ?? []).map((one) => resolved(one, schemas))]
    const found = among
      .map((one) => (step === '[]' ? one.items : one.properties?.[step]))
      .find((one) => one !== undefined)
    at = resolved(found ?? {}, schemas)
  }
  return at
}

/** What follows from the state of a world, or from what was asked in another form. */
const derived =
  /(?:^|\.)(?:id|phoneNumber|uuid|receiverName|uniqueReference|collectionCallbackUrl|parentOrganisation)$|^\[\]\.(?:total\w+|netBalance)$|amount$|^data\.(?:refresh_)?expires_in$/

/** Whether a schema says that a field holds a value, or begins as two of its values do. */
function says(schema: JsonSchema, one: Leaf, other: Leaf): boolean {
  if (schema.const !== undefined || schema.enum !== undefined) return true
  if (!('x-usual' in schema)) return ['pattern', 'format', 'examples'].some((word) => schema[word] !== undefined)
  const usual = schema['x-usual'] as Leaf
  if (typeof usual !== 'string' || !usual.endsWith('…')) return usual === one
  return [one, other].every((value) => String(value).startsWith(usual.slice(0, -1)))
}

/** Characters with which both begin. */
function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Places where two answers say the same, or begin alike, and their schema does not say so. */
function unsaid(
  at: string,
  [one, other]: [unknown, unknown],
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  given: ReadonlySet<Leaf>,
): string[] {
  const others = new Map(leaves(other))
  return leaves(one).flatMap(([place, value]) => {
    const second = others.get(place)
    if (second === undefined || given.has(value) || derived.test(place)) return []
    const isFixed = value === second
    const beginsAlike = typeof value === 'string' && typeof second === 'string' && commonStart(value, second) > 0
    if (!isFixed && !beginsAlike) return []
    return says(schemaAt(schema, place, schemas), value, second) ? [] : [`${at} ${place}: ${JSON.stringify(value)}`]
  })
}

it('says in the contract what two worlds say alike', async () => {
  const [one, two] = await recordedTwice()
  const { assumptions } = (await bench.world(assuming(everyOperation))).inside.core.scenario
  const contract = paymentsService.contract({ baseUrl: '', version: '1', assumptions })
  const { schemas } = contract.components
  const asked = Object.values(one.operations).map(({ request, parameters }) => [request ?? {}, parameters ?? {}])
  const sent = asked.flat().flatMap((part) => leaves(part).map(([, value]) => value))
  const given = new Set<Leaf>([...Object.values(DEFAULT_ORGANISATION), ...sent, '{baseUrl}'])
  const found = Object.values(contract.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: id, responses, callbacks = {} }) => {
      const [answers] = Object.entries(responses).flatMap(([status, { content }]) => (status < '3' ? [content] : []))
      const told = Object.values(callbacks).flatMap((by) =>
        Object.values(by).map(({ post }) => post.requestBody.content),
      )
      const pairs = [
        [answers, one.operations[id]?.answer, two.operations[id]?.answer],
        [told[0], one.operations[id]?.callback, two.operations[id]?.callback],
      ] as const
      return pairs.flatMap(([content, first, second]) =>
        content ? unsaid(id, [first, second], must(content['application/json']).schema, schemas, given) : [],
      )
    })
  expect(found).toEqual([])
})

it('would find a text that nobody declared, and a beginning', () => {
  const schema = { properties: { note: {}, reference: {}, known: { 'x-usual': 'R-…' } } } as JsonSchema
  const answers: [unknown, unknown] = [
    { note: 'Thank you', reference: 'X-1', known: 'R-1' },
    { note: 'Thank you', reference: 'X-2', known: 'R-2' },
  ]
  expect(unsaid('planted', answers, schema, {}, new Set())).toEqual([
    'planted note: "Thank you"',
    'planted reference: "X-1"',
  ])
})
