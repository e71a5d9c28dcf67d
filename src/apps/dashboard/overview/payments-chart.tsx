/** A chart of the newest payments by outcome, over simulated time. */
import { Box, Group } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { keysIn } from '../../../core/model/must.ts'
import { shortInstant, toneOf } from '../parts/formatted.tsx'
import { Section } from '../parts/screen.tsx'

type Columns = ControlAnswer<'GET', '/statistics'>['overTime']

const series = { Succeeded: ['green'], 'Under way': ['blue'], Failed: ['red', 'orange', 'gray'] }
type Series = keyof typeof series
const named = keysIn(series)
const colours: Record<Series, string> = { Succeeded: 'green.6', 'Under way': 'blue.5', Failed: 'red.6' }
const HEIGHT = 132

/** Fewer columns than this say nothing that the figures above do not. */
const SAYS_SOMETHING = 3

export function PaymentsChart({ columns }: { columns: Columns }) {
  const shown = columns.map(({ from, counts }) => {
    const of = (name: Series) =>
      Object.entries(counts).reduce((sum, [state, n]) => sum + (series[name].includes(toneOf(state)) ? n : 0), 0)
    const parts = named.map((name) => ({ name, count: of(name) }))
    return { label: shortInstant(from), parts, total: parts.reduce((sum, { count }) => sum + count, 0) }
  })
  const highest = Math.max(1, ...shown.map(({ total }) => total))
  if (shown.filter(({ total }) => total > 0).length < SAYS_SOMETHING) return null
  return (
    <Section title="Payments over time">
      <Box component="figure" m={0} data-testid="chart">
        <Group gap="xs" wrap="nowrap" align="stretch" h={HEIGHT}>
          <Box ta="right" fz="xs" c="dimmed" style={{ display: 'grid', alignContent: 'space-between' }}>
            <span>{highest.toLocaleString('en-GB')}</span>
            <span>0</span>
          </Box>
          <Group gap={2} wrap="nowrap" align="flex-end" className="plot">
            {shown.map(({ label, parts, total }) => (
              <Box
                key={label}
                role="img"
                aria-label={said(label, parts)}
                title={said(label, parts)}
                style={{ flex: 1, height: `${(100 * total) / highest}%`, display: 'flex', flexDirection: 'column' }}
              >
                {parts.toReversed().map(({ name, count }) => (
                  <Box key={name} bg={colours[name]} style={{ flexGrow: count }} />
                ))}
              </Box>
            ))}
          </Group>
        </Group>
        <Group justify="space-between" fz="xs" c="dimmed" ml={28}>
          <span>{shown[0]?.label}</span>
          <span>{shown.at(-1)?.label}</span>
        </Group>
        <Group gap="sm" mt={4} component="figcaption">
          {named.map((name) => (
            <Group key={name} gap={6} fz="xs">
              <Box w={10} h={10} bg={colours[name]} />
              {name}
            </Group>
          ))}
        </Group>
      </Box>
    </Section>
  )
}

function said(label: string, parts: readonly { name: string; count: number }[]): string {
  return `${label}: ${parts.map(({ name, count }) => `${count} ${name.toLowerCase()}`).join(', ')}`
}
