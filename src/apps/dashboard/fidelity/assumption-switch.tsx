/** A switch for one assumption. */
import { Card, Group, Radio, Text } from '@mantine/core'
import { ErrorNote } from '../parts/notes.tsx'

interface Assumption {
  id: string
  question: string
  default: string
  alternatives: readonly string[]
  inForce: string
  chosenBy: 'default' | 'scenario' | 'drawn'
  measured: { on: string; isStale: boolean } | null
  note: string
}

export function AssumptionSwitch(props: { assumption: Assumption; choose(value: string): void; error: Error | null }) {
  const { assumption, choose, error } = props
  return (
    <Card withBorder data-testid={`assumption-${assumption.id}`}>
      <Radio.Group
        label={assumption.question}
        description={assumption.note}
        value={assumption.inForce}
        onChange={choose}
      >
        <Group mt="xs" gap="md">
          {assumption.alternatives.map((alternative) => (
            <Radio
              key={alternative}
              value={alternative}
              label={alternative === assumption.default ? `${alternative} (usual)` : alternative}
            />
          ))}
        </Group>
      </Radio.Group>
      <Text size="xs" c="dimmed" className="mono" mt="sm">
        assumptions: {'{'} {assumption.id}: {assumption.inForce} {'}'}
        {assumption.chosenBy === 'drawn' && ' (drawn by the seed)'}
        {assumption.measured &&
          ` (measured ${assumption.measured.on}, sandbox${assumption.measured.isStale ? '; older than 90 days, measure it again' : ''})`}
      </Text>
      {error && <ErrorNote error={error} />}
    </Card>
  )
}
