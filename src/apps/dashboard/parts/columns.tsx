/** A column chart. */
import { Group, Text, VisuallyHidden } from '@mantine/core'
import { counted } from '../../../core/model/counted.ts'

export interface ListColumn {
  label: string
  counts: Readonly<Record<string, number>>
}

/** Distinguishable in both themes; any other series is grey. */
const shades: Record<string, string> = {
  SUCCESS: '#2a9d78',
  SUCCEEDED: '#2a9d78',
  COMPLETED: '#2a9d78',
  PENDING: '#4c8fd6',
  PROCESSING: '#6f7fdc',
  REQUIRES_CUSTOMER_ACTION: '#9a74d8',
  FAILED: '#d9534f',
  CANCELLED: '#e08a3c',
  EXPIRED: '#c9a227',
  attempts: '#2a9d78',
}
const shadeOf = (series: string) => shades[series] ?? '#8a938f'

const HEIGHT = 132
const GAP = 0.16

/** Screen readers get the figures as a table. */
export function Columns({ title, columns, unit }: { title: string; columns: readonly ListColumn[]; unit: string }) {
  const series = [...new Set(columns.flatMap(({ counts }) => Object.keys(counts)))].sort()
  const totals = columns.map(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0))
  const highest = Math.max(1, ...totals)
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`0 0 ${Math.max(1, columns.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        height={HEIGHT}
        aria-hidden="true"
      >
        {columns.map(({ label, counts }, i) => {
          let top = HEIGHT
          return series.map((name) => {
            const height = ((counts[name] ?? 0) / highest) * HEIGHT
            top -= height
            return height > 0 ? (
              <rect
                key={`${label} ${name}`}
                x={i + GAP / 2}
                width={1 - GAP}
                y={top}
                height={height}
                fill={shadeOf(name)}
              >
                <title>{`${label}: ${counts[name]} ${name}`}</title>
              </rect>
            ) : null
          })
        })}
      </svg>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {columns[0]?.label}
        </Text>
        <Text size="xs" c="dimmed">
          peak: {counted(highest, unit)}
        </Text>
        <Text size="xs" c="dimmed">
          {columns.at(-1)?.label}
        </Text>
      </Group>
      <Group gap="sm" mt={4} component="figcaption">
        {series.length > 1 &&
          series.map((name) => (
            <Text key={name} size="xs">
              <span aria-hidden="true" style={{ color: shadeOf(name) }}>
                ■
              </span>{' '}
              {name}
            </Text>
          ))}
      </Group>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <tbody>
            {columns.map(({ label, counts }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  {Object.entries(counts)
                    .map(([name, count]) => `${count} ${name}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
