/** Imports point down the house, and never go in a circle: types too. */
import { expect, it } from 'vitest'
import { files, importsOf } from './source.ts'

/** From the top to the bottom. Those of one line do not know each other. */
const house: readonly (readonly string[])[] = [
  ['cli.ts', 'index.ts', 'worker.ts'],
  ['commands/'],
  ['testing/', 'mcp/'],
  ['judge/'],
  ['dashboard/'],
  ['client/'],
  ['hosts/'],
  ['server/'],
  ['service/'],
  ['http/'],
  ['report/'],
  ['reconcile/', 'coverage/'],
  ['explain/'],
  ['questions/'],
  ['world/'],
  ['engine/'],
  ['scenarios/'],
  ['lifecycle/', 'ledger/', 'callbacks/', 'clock/'],
  ['store/'],
  ['model/'],
]

/** The rooms of scenarios/, from the top to the bottom; what stands in no room joins them. */
const rooms: readonly (readonly string[])[] = [['lint/'], ['decide/'], ['language/']]

/** Index of the layer that a path is in; -1 when it is in none. */
function layerOf(path: string, layers: readonly (readonly string[])[]): number {
  return layers.findIndex((layer) => layer.some((name) => path.startsWith(name)))
}

/** Imports that do not point down, as `from -> to`. */
function upward(paths: readonly string[], layers: readonly (readonly string[])[], prefix = ''): string[] {
  return paths.flatMap((path) => {
    const from = path.slice(prefix.length)
    const layer = layerOf(from, layers)
    const folder = from.split('/')[0]
    return importsOf(path)
      .filter((to) => to.startsWith(prefix))
      .filter((to) => {
        const other = layerOf(to.slice(prefix.length), layers)
        return (
          other < layer || (other === layer && to.slice(prefix.length).split('/')[0] !== folder && from.includes('/'))
        )
      })
      .map((to) => `${path} -> ${to}`)
  })
}

it('has a place for every file', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => layerOf(file, house) < 0)).toEqual([])
})

it('imports only what stands below', () => {
  expect(upward(files, house)).toEqual([])
})

it('keeps the language of scenarios free of decisions, and both free of lint', () => {
  const inRooms = files.filter((file) => layerOf(file.replace('scenarios/', ''), rooms) >= 0)
  expect(inRooms.length).toBeGreaterThan(30)
  const joining = inRooms.flatMap((file) =>
    importsOf(file)
      .filter((to) => /^scenarios\/[^/]+$/.test(to))
      .map((to) => `${file} -> ${to}`),
  )
  expect([...upward(inRooms, rooms, 'scenarios/'), ...joining]).toEqual([])
})

it('knows mfano in the dashboard only by the client', () => {
  const dashboard = files.filter((file) => file.startsWith('dashboard/'))
  const others = dashboard.flatMap((file) =>
    importsOf(file)
      .filter((to) => !/^(?:dashboard|client)\//.test(to))
      .map((to) => `${file} -> ${to}`),
  )
  expect(others).toEqual([])
})

it('imports nothing in a circle', () => {
  expect(circles()).toEqual([])
})

/** Files that import each other, around: each as a list. Tarjan's algorithm. */
function circles(): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string) => {
    const mine = index.size
    index.set(file, mine)
    low.set(file, mine)
    stack.push(file)
    for (const next of importsOf(file)) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number))
    }
    if (low.get(file) !== mine) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return found
}
