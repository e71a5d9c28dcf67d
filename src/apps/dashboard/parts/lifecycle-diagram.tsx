/** A diagram of a payment's lifecycle. */
import { Accordion, Text, useMantineTheme } from '@mantine/core'
import { useId } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { toneOf } from './formatted.tsx'
import { type Edge, edgePath, edgesOf, layOut, type Machine, NODE, type NodePlace } from './lifecycle-layout.ts'

export function Lifecycle({ machine, path }: { machine: Machine; path: readonly string[] }) {
  const edges = edgesOf(machine, path)
  return (
    <>
      <Diagram machine={machine} path={path} edges={edges} />
      {edges.length > 0 && (
        <Accordion variant="contained" mt="sm">
          <Accordion.Item value="ways">
            <Accordion.Control>What leads where ({counted(edges.length, 'way')})</Accordion.Control>
            <Accordion.Panel>
              {edges.map(({ from, to, labels, taken }) => (
                <Text key={`${from} ${to}`} size="sm" fw={taken ? 650 : undefined} c={taken ? 'green' : undefined}>
                  {from} → {to}:{' '}
                  <Text span inherit c={taken ? undefined : 'dimmed'}>
                    {labels.join(', ')}
                  </Text>
                </Text>
              ))}
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </>
  )
}

function Diagram({ machine, path, edges }: { machine: Machine; path: readonly string[]; edges: readonly Edge[] }) {
  const theme = useMantineTheme()
  const arrow = useId()
  const { places, width, height } = layOut(machine)
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
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" fill={on ? taken : 'currentColor'} />
          </marker>
        ))}
      </defs>
      {edges
        // The payment's way is drawn last, on top.
        .toSorted((a, b) => Number(a.taken) - Number(b.taken))
        .map((edge) => (
          <path
            key={`${edge.from} ${edge.to}`}
            d={edgePath(edge, places)}
            fill="none"
            stroke={edge.taken ? taken : 'currentColor'}
            strokeWidth={edge.taken ? 2.5 : 1}
            opacity={edge.taken ? 1 : 0.4}
            markerEnd={`url(#${arrow}-${edge.taken})`}
          >
            <title>{`${edge.from} to ${edge.to}: ${edge.labels.join(', ')}`}</title>
          </path>
        ))}
      {[...places].map(([state, place]) => (
        <Node
          key={state}
          state={state}
          place={place}
          visited={path.includes(state)}
          now={path.at(-1) === state}
          colour={path.at(-1) === state ? (theme.colors[toneOf(state)]?.[9] ?? taken) : taken}
        />
      ))}
    </svg>
  )
}

function Node(props: { state: string; place: NodePlace; visited: boolean; now: boolean; colour: string }) {
  const { state, place, visited, now, colour } = props
  const lines = linesOf(state)
  return (
    <g transform={`translate(${place.x} ${place.y})`} data-state={state} data-visited={visited}>
      <rect
        width={NODE.width}
        height={NODE.height}
        rx={8}
        fill={now ? colour : 'var(--mantine-color-body)'}
        stroke={visited ? colour : 'currentColor'}
        strokeOpacity={visited ? 1 : 0.4}
        strokeWidth={visited ? 2 : 1}
      />
      <text textAnchor="middle" fontSize={12} fontWeight={now ? 700 : 500} fill={now ? '#fff' : 'currentColor'}>
        {lines.map((line, i) => (
          <tspan key={line} x={NODE.width / 2} y={NODE.height / 2 + 4 + (i - (lines.length - 1) / 2) * 14}>
            {line}
          </tspan>
        ))}
      </text>
    </g>
  )
}

function linesOf(state: string): string[] {
  const cut = state.length > 14 ? state.indexOf('_') + 1 : 0
  return cut === 0 ? [state] : [state.slice(0, cut), state.slice(cut)]
}
