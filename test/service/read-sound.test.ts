/** Requests that nothing is wrong with are read without zod: as zod reads them, to the order of their fields. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { readSound } from '../../src/service/read-sound.ts'
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
  fc.constantFrom(
    'KSH',
    'TZS',
    'ksh',
    '254711100100',
    '123456',
    'http://m.example/x',
    'ftp://m.example',
    'a@m.example',
  ),
  fc.constantFrom('00000000-0000-4000-8000-00000000000A', '00000000-0000-4000-8000-00000000000', 'constructor'),
  fc.string({ maxLength: 40 }),
  fc.nat(1100).map((n) => 'é'.repeat(n)),
  fc.double({ noNaN: true }),
)

/** A value as both would have it, or that it is wrong. */
function told(read: unknown): unknown {
  return read === undefined ? undefined : [Object.entries(read as object), JSON.stringify(read)]
}

it.each(schemas)('$name', ({ schema, sample }) => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const change = fc.dictionary(fc.constantFrom(...names, 'unknown', 'toString'), odd, { noNullPrototype: true })
  fc.assert(
    fc.property(change, fc.subarray(names), (changed, left) => {
      const sent: Record<string, unknown> = { ...sample, ...changed }
      for (const name of left.slice(1)) delete sent[name]
      const sound = readSound(schema, sent)
      if (sound === undefined) return
      const parsed = schema.safeParse(sent)
      expect(told(sound)).toEqual(told(parsed.data))
      expect(parsed.success).toBe(true)
    }),
    { numRuns: 300, seed: 4 },
  )
  for (const other of [null, undefined, [], 'text', 1]) expect(readSound(schema, other)).toBeUndefined()
})

it('knows the requests that are sent most', () => {
  const read = schemas.filter(({ schema, sample }) => readSound(schema, sample) !== undefined).map(({ name }) => name)
  expect(read).toEqual(
    expect.arrayContaining([
      'createSendMoney, body',
      'createTillPayment, body',
      'createPaybillPayment, body',
      'createBankPayout, body',
      'verifyBankAccount, body',
    ]),
  )
})

it('leaves to zod what it does not know', () => {
  for (const schema of [z.strictObject({}), z.object({ a: z.int() }), z.object({ a: z.coerce.string() }), z.string()])
    expect(readSound(schema as z.ZodType, { a: 1 })).toBeUndefined()
  expect(readSound(z.object({ a: z.string().trim() }), { a: ' a ' })).toBeUndefined()
  expect(
    readSound(
      z.object({ a: z.string() }).refine(({ a }) => a === 'b'),
      { a: 'a' },
    ),
  ).toBeUndefined()
})
