/** A sequence diagram of what would happen to a payment. */
import { useId } from 'react'
import { shortInstant } from '../parts/formatted.tsx'

/** From and to are the same for what a party does by itself. */
export interface SequenceStep {
  at: string
  from: string
  to: string
  what: string
  only: string | null
}

const parties: readonly string[] = ['merchant', 'mfano', 'rail']
const COLUMN = 260
const LEFT = 150
const ROW = 46
const TOP = 40

export function SequenceDiagram({ steps }: { steps: readonly SequenceStep[] }) {
  const head = useId()
  const width = LEFT + COLUMN * (parties.length - 1) + 190
  const height = TOP + ROW * steps.length + 24
  const x = (party: string) => LEFT + COLUMN * Math.max(0, parties.indexOf(party))
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      style={{ maxWidth: width, minWidth: 560 }}
      role="img"
      aria-label={steps.map(({ at, from, to, what }) => `${shortInstant(at)} ${from} to ${to}: ${what}`).join('; ')}
      data-testid="sequence"
    >
      <defs>
        <marker id={head} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="currentColor" />
        </marker>
      </defs>
      {parties.map((party) => (
        <g key={party}>
          <text x={x(party)} y={18} textAnchor="middle" fontWeight={650} fontSize={13} fill="currentColor">
            {party}
          </text>
          <line x1={x(party)} x2={x(party)} y1={26} y2={height - 6} stroke="currentColor" strokeOpacity={0.3} />
        </g>
      ))}
      {steps.map(({ at, from, to, what, only }, i) => {
        const y = TOP + ROW * i + 22
        const words = only ? `${what} (if ${only})` : what
        const self = from === to
        const middle = self ? x(from) + 8 : (x(from) + x(to)) / 2
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a preview is drawn once
          <g key={i}>
            <text x={4} y={y + 3} fontSize={10.5} fill="var(--mantine-color-dimmed)">
              {shortInstant(at).slice(5)}
            </text>
            {self ? (
              <circle cx={x(from)} cy={y} r={4} fill="currentColor" />
            ) : (
              <line x1={x(from)} x2={x(to)} y1={y} y2={y} stroke="currentColor" markerEnd={`url(#${head})`} />
            )}
            <text
              x={middle}
              y={self ? y + 4 : y - 6}
              fontSize={11}
              textAnchor={self ? 'start' : 'middle'}
              fill="currentColor"
            >
              <title>{words}</title>
              {shortened(words, self ? 48 : 46)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
