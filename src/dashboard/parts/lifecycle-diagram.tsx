/** A lifecycle as a diagram. */
import { useMantineTheme } from '@mantine/core'
import { useId } from 'react'

/** A machine as `GET /_mfano/machines` gives it. */
export interface Machine {
  initial: string | undefined
  states: Record<string, { final: boolean; transitions: { on: string; to: string }[] }>
}

interface Edge {
  from: string
  to: string
  label: string
  taken: boolean
}

const NODE = { width: 150, height: 38 }
const SPACE = { across: 110, down: 40, right: 190 }

/**
 * The lifecycle of a kind of payment, drawn from its machine: states from left to right by how far they are from the
 * first, and the way that a payment took, in colour. `path`: its states in order.
 */
export function Lifecycle({ machine, path }: { machine: Machine; path: readonly string[] }) {
  const theme = useMantineTheme()
  const arrow = useId()
  const places = layOut(machine)
  const edges = edgesOf(machine, path)
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + NODE.width + SPACE.right
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + NODE.height + 28
  const taken = theme.colors.green[6]

  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      style={{ maxWidth: width, display: 'block' }}
      role="img"
      aria-label={`Lifecycle: ${path.join(', then ')}`}
      data-testid="lifecycle"
    >
      <defs>
        {[true, false].map((on) => (
          <marker
            key={String(on)}
            id={`${arrow}-${on}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 8 4 0 8z" fill={on ? taken : 'currentColor'} />
          </marker>
        ))}
      </defs>
      {edges.map((edge) => (
        <Arrow
          key={`${edge.from} ${edge.to}`}
          edge={edge}
          places={places}
          colour={taken}
          marker={`${arrow}-${edge.taken}`}
        />
      ))}
      {[...places].map(([state, { x, y }]) => {
        const visited = path.includes(state)
        const now = path.at(-1) === state
        return (
          <g key={state} transform={`translate(${x} ${y})`} data-state={state} data-visited={visited}>
            <rect
              width={NODE.width}
              height={NODE.height}
              rx={8}
              fill={now ? taken : 'var(--mantine-color-body)'}
              stroke={visited ? taken : 'currentColor'}
              strokeOpacity={visited ? 1 : 0.35}
              strokeWidth={visited ? 2 : 1}
            />
            <text
              x={NODE.width / 2}
              y={NODE.height / 2 + 4}
              textAnchor="middle"
              fontSize={state.length > 16 ? 9.5 : 13}
              fontWeight={now ? 700 : 500}
              fill={now ? '#fff' : 'currentColor'}
            >
              {state}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function Arrow(props: { edge: Edge; places: ReadonlyMap<string, Place>; colour: string | undefined; marker: string }) {
  const { edge, places, colour, marker } = props
  const from = places.get(edge.from) as Place
  const to = places.get(edge.to) as Place
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2]
  const [x2, y2] = [to.x, to.y + NODE.height / 2]
  // Within one column an arrow leaves and arrives on the right-hand side.
  const sideways = to.x <= from.x
  const endX = sideways ? to.x + NODE.width : x2
  const upwards = to.y < from.y
  // Two ways between the same two states keep apart: the one back goes around the other.
  const bend = sideways ? x1 + (upwards ? 110 : 46) : (x1 + x2) / 2
  const d = `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${endX} ${y2}`
  const middle = sideways
    ? { x: x1 + (upwards ? 88 : 40), y: (y1 + y2) / 2 + (upwards ? 14 : -6) }
    : { x: (x1 + endX) / 2, y: (y1 + y2) / 2 - 5 }
  return (
    <g color={edge.taken ? colour : undefined} opacity={edge.taken ? 1 : 0.5}>
      <path
        d={d}
        fill="none"
        stroke={edge.taken ? colour : 'currentColor'}
        strokeWidth={edge.taken ? 2 : 1}
        markerEnd={`url(#${marker})`}
      />
      <text x={middle.x} y={middle.y} textAnchor={sideways ? 'start' : 'middle'} fontSize={9.5} fill="currentColor">
        {edge.label}
      </text>
    </g>
  )
}

interface Place {
  x: number
  y: number
}

/** States in columns by their distance from the first one. */
function layOut({ initial, states }: Machine): Map<string, Place> {
  const depth = new Map(initial === undefined ? [] : [[initial, 0]])
  for (const state of depth.keys()) {
    for (const { to } of states[state]?.transitions ?? [])
      if (!depth.has(to)) depth.set(to, (depth.get(state) as number) + 1)
  }
  const filled = new Map<number, number>()
  return new Map(
    [...depth].map(([state, column]) => {
      const row = filled.get(column) ?? 0
      filled.set(column, row + 1)
      return [state, { x: 2 + column * (NODE.width + SPACE.across), y: 16 + row * (NODE.height + SPACE.down) }]
    }),
  )
}

/** One arrow for all the ways from a state to another. */
function edgesOf({ states }: Machine, path: readonly string[]): Edge[] {
  const took = new Set(path.slice(1).map((state, i) => `${path[i]} ${state}`))
  const edges = new Map<string, Edge>()
  for (const [from, { transitions }] of Object.entries(states)) {
    for (const { on, to } of transitions) {
      const key = `${from} ${to}`
      const word = on.startsWith('after ') ? on : on.toLowerCase()
      const known = edges.get(key)
      if (!known) edges.set(key, { from, to, label: word, taken: took.has(key) })
      else if (!known.label.split(', ').includes(word) && known.label.length < 18) known.label += `, ${word}`
    }
  }
  return [...edges.values()]
}
