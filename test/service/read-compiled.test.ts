/** Requests are read by compiled schemas: as the schemas read them, to the order of their fields. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { defaultsOf } from '../../src/core/model/assumption.ts'
import { safeParse } from '../../src/core/model/json.ts'
import { Refusal } from '../../src/core/model/refusal.ts'
import { assumptions } from '../../src/service/assumed/assumptions.ts'
import { paymentsService } from '../../src/service/service.ts'

const schemas = paymentsService.operations.flatMap(({ id, body, query, params, example }) => [
  ...(body ? [{ name: `${id}, body`, schema: body as z.ZodType, sample: example?.('http://m.example') ?? {} }] : []),
  ...(query ? [{ name: `${id}, query`, schema: query as z.ZodType, sample: {} }] : []),
  ...(params ? [{ name: `${id}, params`, schema: params as z.ZodType, sample: {} }] : []),
])

/** What is sent in some field: from right by chance to never right. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', ' ', true, 0, -1, 0.01, 10.5, 10.005, 1e12, [], {}, { length: {} }, [
    'x',
  ]),
  fc.constantFrom(...'KSH TZS ksh 254711100100 123456 http://m.example/x ftp://m.example a@m.example'.split(' ')),
  fc.constantFrom('00000000-0000-4000-8000-00000000000A', '00000000-0000-4000-8000-00000000000', 'constructor'),
  fc.string({ maxLength: 40 }),
  fc.nat(1100).map((n) => 'é'.repeat(n)),
  fc.double({ noNaN: true }),
)

const inForce = defaultsOf(assumptions)

/** What the service reads; undefined of what it refuses. */
function read(schema: z.ZodType, sent: unknown): unknown {
  try {
    return paymentsService.read(schema, sent, inForce)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}

it.each(schemas)('$name', ({ schema, sample }) => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const change = fc.dictionary(fc.constantFrom(...names, 'unknown', 'toString'), odd, { noNullPrototype: true })
  let sound = 0
  fc.assert(
    fc.property(change, fc.subarray(names), (changed, left) => {
      const sent: Record<string, unknown> = { ...sample, ...changed }
      for (const name of left.slice(1)) delete sent[name]
      const own = read(schema, sent)
      const parsed = safeParse(schema, sent)
      // What the schema lets pass may still break a rule between fields.
      if (own === undefined) return
      sound++
      expect(parsed.success).toBe(true)
      expect([Object.entries(own as object), JSON.stringify(own)]).toEqual([
        Object.entries(parsed.data as object),
        JSON.stringify(parsed.data),
      ])
    }),
    { numRuns: 300, seed: 4 },
  )
  expect(sound).toBeGreaterThan(0)
  for (const other of [null, undefined, [], 'text', 1]) expect(read(schema, other)).toBeUndefined()
})

it.each(schemas)('$name can be compiled', ({ schema }) => {
  expect(() => z.compile(schema, { strict: true })).not.toThrow()
})
