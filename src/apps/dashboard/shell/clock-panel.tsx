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
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { clockQuery } from '../api/queries.ts'
import { shortInstant } from '../parts/formatted.tsx'
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
  const [done, setDone] = useState('')
  const moved = (what: string) => {
    setDone(what)
    void queries.invalidateQueries()
  }
  const advance = useMutation({
    mutationFn: (span: string) => world('POST', '/clock/advance', { body: { by: span } }),
    onSuccess: ({ steps: taken, callbacks }, span) => moved(`${span} on: ${whatHappened(taken, callbacks)}`),
  })
  const settle = useMutation({
    mutationFn: () => world('POST', '/clock/settle'),
    onSuccess: ({ ended, steps: taken, callbacks }) =>
      moved(`Ran until idle, ${ended}: ${whatHappened(taken, callbacks)}`),
  })
  const mode = useMutation({
    mutationFn: (to: 'realtime' | 'scaled' | 'frozen') =>
      world('PATCH', '/clock', { body: { mode: to, ...(to === 'scaled' && { rate: 60 }) } }),
    onSuccess: () => moved(''),
  })
  const error = advance.error ?? settle.error ?? mode.error
  const busy = advance.isPending || settle.isPending

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
                  {clock.data && shortInstant(clock.data.now).slice(0, 10)}{' '}
                </Box>
                {clock.data ? shortInstant(clock.data.now).slice(11) : '…'}
              </Text>
              <Text size="xs" c="dimmed" lh={1.2} visibleFrom="xs" data-testid="clock-mode">
                {clock.data?.timezone.name} · {clock.data?.mode}
                {clock.data?.mode === 'scaled' && ` ×${clock.data.rate}`}
              </Text>
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
            onChange={(to) => mode.mutate(to)}
            data={[
              { value: 'frozen', label: 'Frozen' },
              { value: 'realtime', label: 'Real time' },
              { value: 'scaled', label: '× 60' },
            ]}
          />
          <Group gap={6} grow>
            {steps.map((span) => (
              <Button key={span} size="xs" variant="default" onClick={() => advance.mutate(span)} disabled={busy}>
                +{span}
              </Button>
            ))}
          </Group>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              advance.mutate(by)
            }}
          >
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
              <Button size="xs" type="submit" loading={advance.isPending} data-testid="advance">
                Advance
              </Button>
            </Group>
          </form>
          <Button
            size="xs"
            variant="light"
            loading={settle.isPending}
            onClick={() => settle.mutate()}
            data-testid="settle"
          >
            Run until idle
          </Button>
          {clock.data?.nextDue && (
            <Text size="xs" c="dimmed">
              Next due {shortInstant(clock.data.nextDue)}
            </Text>
          )}
          {error ? (
            <ErrorNote error={error} />
          ) : (
            <Text size="xs" role="status" data-testid="moved">
              {done}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
