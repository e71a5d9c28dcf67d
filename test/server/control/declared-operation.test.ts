import { expect, it } from 'vitest'
import * as z from 'zod'
import { type Reader, shape, view } from '../../../src/inspect/view.ts'
import { controlOperation } from '../../../src/server/control/declared-operation.ts'

// What the compiler says of how a control operation is declared, and how an answer is made of the declaration.

const paletteShape = shape('Palette', () =>
  z.object({
    name: z.string().describe('What it is called.'),
    mix: z.object({ red: z.number(), note: z.string().optional() }).nullable(),
  }),
)

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
