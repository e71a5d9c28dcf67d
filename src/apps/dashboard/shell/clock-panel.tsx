/** Shows the world's clock and moves it. */
import {
  Box,
  Button,
  Group,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { clockQuery } from '../api/queries.ts'
import { Dim } from '../parts/dim.tsx'
import { dayAndClock, shortInstant } from '../parts/formatted.tsx'
import { IconClock } from '../parts/icons.tsx'
import { ErrorNote } from '../parts/notes.tsx'

const steps = ['10s', '1m', '1h', '1d'] as const
const LOOK_MS = 1000

function whatHappened(steps: number, { delivered, failed }: { delivered: number; failed: number }): string {
  return `${counted(steps, 'step')}, ${counted(delivered, 'callback')} delivered, ${failed} failed`
}

export function ClockPanel() {
  const queries = useQueryClient()
  const clock = useQuery(clockQuery)
  const going = clock.data !== undefined && clock.data.mode !== 'frozen'
  useInterval(() => going && void queries.invalidateQueries({ queryKey: ['clock'] }), LOOK_MS, { autoInvoke: true })
  const [by, setBy] = useState('5m')
  // Each way to move time, with what to say then.
  const move = useChange((way: () => Promise<string>) => way())
  const advance = (span: string) =>
    move.mutate(async () => {
      const { steps: taken, callbacks } = await world('POST', '/clock/advance', { body: { by: span } })
      return `Advanced by ${span}: ${whatHappened(taken, callbacks)}`
    })
  const settle = async () => {
    const { ended, steps: taken, callbacks } = await world('POST', '/clock/settle')
    return `Ran until idle, ${ended}: ${whatHappened(taken, callbacks)}`
  }
  const setMode = async (to: 'realtime' | 'scaled' | 'frozen') => {
    await world('PATCH', '/clock', { body: { mode: to, ...(to === 'scaled' && { rate: 60 }) } })
    return ''
  }

  return (
    <Popover position="bottom-end" width={320} trapFocus shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton data-testid="clock">
          <VisuallyHidden>Simulated time, and how to move it: </VisuallyHidden>
          <Group gap={6} wrap="nowrap">
            <IconClock size={18} />
            <div>
              <Text size="xs" fw={600} lh={1.2} style={{ whiteSpace: 'nowrap' }} data-testid="now">
                <Box component="span" visibleFrom="sm">
                  {clock.data && dayAndClock(clock.data.now)[0]}{' '}
                </Box>
                {clock.data ? dayAndClock(clock.data.now)[1] : '…'}
              </Text>
              <Dim size="xs" lh={1.2} style={{ whiteSpace: 'nowrap' }} data-testid="clock-mode">
                {clock.data?.timezone.name}
                <Box component="span" visibleFrom="xs">
                  {' '}
                  · {clock.data?.mode}
                  {clock.data?.mode === 'scaled' && ` ×${clock.data.rate}`}
                </Box>
              </Dim>
            </div>
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Simulated time">
        <Stack gap="sm">
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label="Clock mode"
            value={clock.data?.mode ?? 'realtime'}
            onChange={(to) => move.mutate(() => setMode(to))}
            data={[
              { value: 'frozen', label: 'Frozen' },
              { value: 'realtime', label: 'Real time' },
              { value: 'scaled', label: '× 60' },
            ]}
          />
          <Group gap={6} grow>
            {steps.map((span) => (
              <Button key={span} size="xs" variant="default" onClick={() => advance(span)} disabled={move.isPending}>
                +{span}
              </Button>
            ))}
          </Group>
          <form onSubmit={submitting(() => advance(by))}>
            <Group gap={6} wrap="nowrap" align="flex-end">
              <TextInput
                size="xs"
                label="Advance by"
                description="such as 90s, 1h30m or 2d"
                value={by}
                onChange={(event) => setBy(event.currentTarget.value)}
                style={{ flex: 1 }}
                data-testid="advance-by"
              />
              <Button size="xs" type="submit" loading={move.isPending} data-testid="advance">
                Advance
              </Button>
            </Group>
          </form>
          <Button
            size="xs"
            variant="light"
            loading={move.isPending}
            onClick={() => move.mutate(settle)}
            data-testid="settle"
          >
            Run until idle
          </Button>
          {clock.data?.nextDue && <Dim size="xs">Next due {shortInstant(clock.data.nextDue)}</Dim>}
          {move.error ? (
            <ErrorNote error={move.error} />
          ) : (
            <Text size="xs" role="status" data-testid="moved">
              {move.data}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
