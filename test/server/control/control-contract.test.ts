import { expect, it } from 'vitest'
import * as z from 'zod'
import { hintOf, withHints } from '../../../src/core/model/problems.ts'
import type { JsonSchema } from '../../../src/http/json-schema.ts'
import { type Reader, shape, view } from '../../../src/inspect/view.ts'
import { controlOperation } from '../../../src/server/control/declared-operation.ts'
import { asRequest } from '../../../src/server/control/placed.ts'
import { controlOperations } from '../../../src/server/control-operations.ts'
import { files, textOf } from '../../house/source.ts'
import { controlDocument } from '../../support/control-check.ts'
import { useBench } from '../../support/harness.ts'

// That every answer which any test sees keeps to the contract is seen to in test/support/harness.ts.

const bench = useBench()

it('has every route that is not for our own programs alone, each with its answer', async () => {
  const world = await bench.world()
  const operations = controlOperations.flatMap((one) => (one.internal ? [] : [`${one.method} /_mfano${one.path}`]))
  const { paths } = (await world.raw('GET', '/_mfano/openapi.json')).body
  const told = Object.entries(paths as object).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  // `/_mfano/` is `/_mfano` in another spelling, and a path of a contract ends in no slash.
  expect(told.sort()).toEqual(operations.map((one) => one.replace(/\/$/, '')).sort())
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

// What to do about an error, as data: an operation that there is, and parameters that it takes.

it('names operations that are declared', () => {
  const hints = /\b(?:hintOf|notFound)\(.*?'([a-z]+\.[a-z]+)'/gs
  const named = new Set(files.flatMap((file) => Array.from(textOf(file).matchAll(hints), ([, id = '']) => id)))
  const declared = new Set<string>(controlOperations.map(({ id }) => id))
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((id) => !declared.has(id))).toEqual([])
})

it.each([
  [hintOf('Make it: {}', 'world.create', { id: 'a' }), 'Make it: POST http://h/_mfano/worlds {"id":"a"}'],
  [hintOf('{} lists them', 'payment.list'), 'GET http://h/_mfano/payments lists them'],
  [hintOf('{}', 'requests.list', { requestId: 'r 1' }), 'GET http://h/_mfano/requests?requestId=r+1'],
  [
    hintOf('{}', 'payment.resolve', { id: 'a/b', status: 'X' }),
    'POST http://h/_mfano/payments/a%2Fb/resolve {"status":"X"}',
  ],
])('says %j as a request', (hint, text) => {
  expect(asRequest(controlOperations, 'http://h')(hint)).toEqual({ ...hint, text })
})

it('is in the answer of the control plane, with the words that stand in its details', async () => {
  const { baseUrl } = bench.simulator
  const { error } = await (await fetch(`${baseUrl}/w/nowhere/_mfano/clock`)).json()
  expect(error).toEqual({
    code: 'WORLD_NOT_FOUND',
    message: 'No such world',
    details: 'There is no world "nowhere". Make it: POST /_mfano/worlds {"id":"nowhere"}',
    hints: [
      {
        ...{ operation: 'world.create', with: { id: 'nowhere' }, words: 'Make it: {}' },
        text: 'Make it: POST /_mfano/worlds {"id":"nowhere"}',
      },
    ],
  })
  expect(withHints(error.details, error.hints, ({ operation }) => `${operation}()`)).toBe(
    'There is no world "nowhere". Make it: world.create()',
  )
})

// What the compiler says of how a control operation is declared, and how an answer is made of the declaration.

const paletteShape = shape('Palette', () =>
  z.object({
    name: z.string().describe('What it is called.'),
    mix: z.object({ red: z.number(), note: z.string().optional() }).nullable(),
  }),
)

it('does not compile with an answer, a column or a path that is not as declared', () => {
  const base = { summary: 'A palette', answer: paletteShape } as const
  const named = { name: 'a' }
  // @ts-expect-error: `mix` is forgotten.
  controlOperation('palette.show', 'GET /palette', { ...base, run: () => named })
  // @ts-expect-error: `size` is no field of it.
  controlOperation('palette.show', 'GET /palette', { ...base, run: () => ({ ...named, mix: null, size: 1 }) })
  // @ts-expect-error: `blue` is no field of what is in it.
  controlOperation('palette.show', 'GET /palette', { ...base, run: () => ({ ...named, mix: { red: 1, blue: 2 } }) })
  const answer = () => z.object({ palettes: z.array(z.object({ name: z.string() })) })
  const all = { summary: 'Palettes', answer, run: () => ({ palettes: [named] }) } as const
  // @ts-expect-error: `colour` is no column.
  controlOperation('palette.list', 'GET /palettes', { ...all, list: { rows: 'palettes', columns: ['colour'] } })
  // @ts-expect-error: `paints` is no field of it.
  controlOperation('palette.list', 'GET /palettes', { ...all, list: { rows: 'paints', columns: [] } })
  // @ts-expect-error: nothing is said of `id`.
  controlOperation('palette.show', 'GET /palette/:id', { ...base, run: () => ({ ...named, mix: null }) })
  controlOperation('palette.show', 'GET /palette', { ...base, run: () => ({ ...named, mix: null }) })
})

it('presents a part of an answer by the lines of its schema', () => {
  interface Palette {
    name: string
    parts: number[]
  }
  const paletteView = view('PaletteView', (read: Reader<Palette, { scale: number }>) => ({
    name: z.string(),
    red: read(z.number().nullable(), ({ parts: [red = null] }, { scale }) => red && red * scale),
    note: read(z.string().optional(), () => undefined),
  }))
  expect(paletteView({ name: 'a', parts: [2] }, { scale: 3 })).toStrictEqual({ name: 'a', red: 6 })
  expect(paletteView.schema().parse({ name: 'a', red: null })).toEqual({ name: 'a', red: null })
  // @ts-expect-error: a palette has no `title`.
  view(null, (_: Reader<Palette>) => ({ title: z.string() }))
  // @ts-expect-error: the name of a palette is no number.
  view(null, (_: Reader<Palette>) => ({ name: z.number() }))
  // @ts-expect-error: `blue` is no field of it.
  view(null, (read: Reader<Palette>) => ({ mix: read(z.object({ red: z.number() }), () => ({ red: 1, blue: 2 })) }))
})
