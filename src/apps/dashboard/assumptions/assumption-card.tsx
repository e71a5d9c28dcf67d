/** One assumption: its question, and what each answer to it changes. */
import { Card, Radio, Stack } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { Dim } from '../parts/dim.tsx'
import { ErrorNote } from '../parts/notes.tsx'

export type ListedAssumption = ControlAnswer<'GET', '/fidelity'>['assumptions'][number]

const NAMED = 3

export function AssumptionCard(props: {
  assumption: ListedAssumption
  choose(value: string): void
  error: Error | null
}) {
  const { assumption, choose, error } = props
  const { id, question, about, meanings, alternatives, inForce, chosenBy, measured } = assumption
  return (
    <Card withBorder data-testid={`assumption-${id}`}>
      <Radio.Group label={question} description={about} value={inForce} onChange={choose}>
        <Stack gap="xs" mt="sm">
          {alternatives.map((alternative) => (
            <Radio
              key={alternative}
              value={alternative}
              label={alternative === assumption.default ? `${alternative} (default)` : alternative}
              description={meanings[alternative]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Dim mt="sm" className="break">
        {touched(assumption)}
      </Dim>
      <Dim size="xs" className="mono break" mt={4}>
        assumptions: {'{'} {id}: {inForce} {'}'}
        {chosenBy === 'drawn' && ' (drawn by the seed)'}
        {measured &&
          ` (measured ${measured.on}, sandbox${measured.isStale ? '; older than 90 days, measure it again' : ''})`}
      </Dim>
      {error && <ErrorNote error={error} />}
    </Card>
  )
}

function touched({ touches: { operations, callbacks, unrouted } }: ListedAssumption): string {
  const places = [
    operations && `answers of ${listed(operations, 'operations')}`,
    callbacks && `callbacks of ${listed(callbacks, 'payments')}`,
    unrouted && 'answers to unknown paths',
  ].filter(Boolean)
  return places.length === 0 ? '' : `Changes ${places.join(' and ')}.`
}

function listed(names: 'all' | readonly string[], what: string): string {
  if (names === 'all') return `all ${what}`
  const rest = names.length - NAMED
  return rest > 1 ? `${names.slice(0, NAMED).join(', ')} and ${rest} other ${what}` : names.join(', ')
}
