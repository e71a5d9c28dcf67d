import { Hono } from 'hono'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { type Reader, shape, view } from '../../../src/inspect/view.ts'
import type { ControlEnv } from '../../../src/server/control/control-context.ts'
import { controlContract } from '../../../src/server/control/control-contract.ts'
import { controlOperation } from '../../../src/server/control/declared-operation.ts'
import { addRoutes } from '../../../src/server/control/route.ts'
import { controlOperations } from '../../../src/server/control-operations.ts'

// How a control operation is declared, and what is made of the declaration.

const paletteShape = shape('Palette', () =>
  z.object({
    name: z.string().describe('What it is called.'),
    mix: z.object({ red: z.number(), note: z.string().optional() }).nullable(),
  }),
)

const listPalettes = controlOperation('palette.list', {
  method: 'GET',
  path: '/shelves/:shelf/palettes',
  summary: 'Palettes on a shelf',
  params: { shelf: 'A shelf, by its number.' },
  query: z.strictObject({ like: z.string().optional().describe('Part of a name.') }),
  answer: () => z.object({ palettes: z.array(paletteShape()), next: z.number().nullable() }),
  errors: ['NOT_FOUND'],
  list: { name: 'palettes', columns: { name: 'word', 'mix.red': 'number' }, rows: ({ palettes }) => palettes },
  run: (_, { params, query }) => ({
    palettes: [{ name: `${params.shelf}${query.like ?? ''}`, mix: { red: 1 } }],
    next: 7,
  }),
})

const app = new Hono<ControlEnv>()
addRoutes(app, [listPalettes])
const ask = (path: string, headers = {}) => app.request(`/_mfano${path}`, { headers })

it('answers JSON, or CSV of its columns, with the next page', async () => {
  const asked = await ask('/shelves/4/palettes?like=a')
  expect(await asked.json()).toEqual({ palettes: [{ name: '4a', mix: { red: 1 } }], next: 7 })
  for (const csv of [ask('/shelves/4/palettes?format=csv'), ask('/shelves/4/palettes', { accept: 'text/csv' })]) {
    expect(await (await csv).text()).toBe('name,mix.red\r\n4,1\r\n')
    expect((await csv).headers.get('link')).toBe('<?format=csv&before=7>; rel="next"')
  }
})

it('is in the contract with its words, its errors and what it answers', () => {
  const { paths, components } = controlContract([listPalettes], { baseUrl: '', version: '1' })
  const told = paths['/_mfano/shelves/{shelf}/palettes']?.['get']
  expect(told?.parameters?.map(({ name, description }) => [name, description])).toEqual([
    ['shelf', 'A shelf, by its number.'],
    ['like', 'Part of a name.'],
    ['format', expect.stringContaining('RFC 4180')],
  ])
  expect(told?.operationId).toBe('palette.list')
  expect(told?.responses['404']?.['x-codes']).toContain('NOT_FOUND')
  expect(Object.keys(told?.responses['200']?.content ?? {})).toEqual(['application/json', 'text/csv'])
  expect(components.schemas['Palette']?.properties?.['name']).toEqual({
    type: 'string',
    description: 'What it is called.',
  })
})

it('does not compile with an answer, a column or a path that is not as declared', () => {
  const base = { method: 'GET', path: '/palette', summary: 'A palette', answer: paletteShape } as const
  const named = { name: 'a' }
  // @ts-expect-error: `mix` is forgotten.
  controlOperation('palette.show', { ...base, run: () => named })
  // @ts-expect-error: `size` is no field of it.
  controlOperation('palette.show', { ...base, run: () => ({ ...named, mix: null, size: 1 }) })
  // @ts-expect-error: `blue` is no field of what is in it.
  controlOperation('palette.show', { ...base, run: () => ({ ...named, mix: { red: 1, blue: 2 } }) })
  const rows = (one: object) => [one as { name: string }]
  const run = () => ({ ...named, mix: null })
  // @ts-expect-error: `colour` is no column.
  controlOperation('palette.show', { ...base, list: { name: 'one', columns: { colour: 'word' }, rows }, run })
  // @ts-expect-error: nothing is said of `id`.
  controlOperation('palette.show', { ...base, path: '/palette/:id', run: () => ({ ...named, mix: null }) })
  controlOperation('palette.show', { ...base, run: () => ({ ...named, mix: null }) })
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

it('is one of many, each at an address and with a name of its own, as data', () => {
  expect(new Set(controlOperations.map(({ id }) => id)).size).toBe(controlOperations.length)
  const addresses = controlOperations.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
  expect(addresses).toContain('POST /clock/advance')
})
