/** The layout of a lifecycle diagram. */
import { must } from '../../../core/model/must.ts'

export interface Machine {
  initial?: string | undefined
  states: Record<string, { final: boolean; transitions: { on: string; to: string }[] }>
}

export interface Edge {
  from: string
  to: string
  labels: string[]
  taken: boolean
}

export interface NodePlace {
  x: number
  y: number
  column: number
  row: number
}

export const NODE = { width: 136, height: 40 }
const GAP = { across: 56, down: 28 }
const MARGIN = 4
/** Arrows over two columns go below everything between. */
const LANE = 26

export function layOut({ initial, states }: Machine): {
  places: Map<string, NodePlace>
  width: number
  height: number
} {
  const isLast = (state: string) => states[state]?.transitions.length === 0
  const others = Object.keys(states).filter((state) => state !== initial)
  const columns = [
    initial === undefined ? [] : [initial],
    others.filter((state) => !isLast(state)),
    others.filter(isLast),
  ].filter((column) => column.length > 0)
  const places = new Map(
    columns.flatMap((names, column) =>
      names.map((state, row): [string, NodePlace] => [
        state,
        {
          column,
          row,
          x: MARGIN + column * (NODE.width + GAP.across),
          y: MARGIN + row * (NODE.height + GAP.down),
        },
      ]),
    ),
  )
  const rows = Math.max(0, ...columns.map(({ length }) => length))
  const below = columns.length > 2 ? LANE : 0
  return {
    places,
    width: 2 * MARGIN + columns.length * NODE.width + (columns.length - 1) * GAP.across,
    height: 2 * MARGIN + rows * NODE.height + (rows - 1) * GAP.down + below,
  }
}

export function edgePath({ from, to }: Pick<Edge, 'from' | 'to'>, places: ReadonlyMap<string, NodePlace>): string {
  const a = must(places.get(from))
  const b = must(places.get(to))
  const middle = NODE.height / 2
  if (a.column === b.column) {
    const down = a.row < b.row
    // Side by side with the arrow back.
    const x = a.x + NODE.width * (down ? 0.35 : 0.65)
    return `M${x} ${down ? a.y + NODE.height : a.y}V${down ? b.y : b.y + NODE.height}`
  }
  const [x1, y1, x2, y2] = [a.x + NODE.width, a.y + middle, b.x, b.y + middle]
  if (b.column === a.column + 1)
    return `M${x1} ${y1}C${x1 + GAP.across / 2} ${y1} ${x2 - GAP.across / 2} ${y2} ${x2} ${y2}`
  const below =
    Math.max(...[...places.values()].filter(({ column }) => column < b.column).map(({ y }) => y)) +
    NODE.height +
    LANE / 2
  const [down, up] = [a.x + NODE.width / 2, x2 - GAP.across / 2]
  return `M${down} ${a.y + NODE.height}V${below - 12}Q${down} ${below} ${down + 12} ${below}H${up - 12}Q${up} ${below} ${up} ${below + (y2 > below ? 8 : -8)}V${y2 > below ? y2 - 8 : y2 + 8}Q${up} ${y2} ${up + 8} ${y2}H${x2}`
}

export function edgesOf({ states }: Machine, path: readonly string[]): Edge[] {
  const took = new Set(path.slice(1).map((state, i) => `${path[i]} ${state}`))
  const edges = new Map<string, Edge>()
  for (const [from, { transitions }] of Object.entries(states)) {
    for (const { on, to } of transitions) {
      const key = `${from} ${to}`
      const word = on.startsWith('after ') ? on : on.toLowerCase()
      const known = edges.get(key)
      if (!known) edges.set(key, { from, to, labels: [word], taken: took.has(key) })
      else if (!known.labels.includes(word)) known.labels.push(word)
    }
  }
  return [...edges.values()]
}
