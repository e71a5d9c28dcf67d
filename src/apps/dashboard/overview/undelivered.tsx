/** Callbacks that did not arrive, on the overview: to be retried, or given up. */
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { shortInstant } from '../parts/formatted.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Section } from '../parts/screen.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]

const SHOWN = 5
const RETRYING = 'callback.state == "pending" && callback.attempts > 0.0'

export function Undelivered() {
  const retrying = useQuery({
    queryKey: ['callbacks', 'retrying'],
    queryFn: () => world('GET', '/callbacks', { query: { where: RETRYING, limit: SHOWN } }),
  })
  const failed = useQuery({
    queryKey: ['callbacks', 'failed'],
    queryFn: () => world('GET', '/callbacks', { query: { state: 'failed', limit: SHOWN } }),
  })
  return (
    <Section title="Undelivered callbacks">
      <QueryAnswer of={retrying}>
        {({ callbacks: again }) => (
          <QueryAnswer of={failed}>
            {({ callbacks: given }) =>
              again.length + given.length === 0 ? (
                <Text c="dimmed" size="sm">
                  None: every callback was taken, or waits for its first attempt.
                </Text>
              ) : (
                <Stack gap="md">
                  <Some title="Being retried" of={again} />
                  <Some title="Given up" of={given} />
                </Stack>
              )
            }
          </QueryAnswer>
        )}
      </QueryAnswer>
    </Section>
  )
}

function Some({ title, of }: { title: string; of: readonly Callback[] }) {
  if (of.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <Stack gap={6}>
        {of.map((callback) => (
          <One key={callback.id} callback={callback} />
        ))}
      </Stack>
    </section>
  )
}

function One({ callback: { id, topic, about, url, attempts, lastAttempt, nextAttemptAt } }: { callback: Callback }) {
  const ended = lastAttempt?.status ? `answered ${lastAttempt.status}` : lastAttempt?.error
  const told = [counted(attempts, 'attempt'), ended, nextAttemptAt && `next ${shortInstant(nextAttemptAt)}`]
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} href={`/callbacks/${id}`} fw={600} style={{ whiteSpace: 'nowrap' }}>
          {about?.referenceId ?? topic}
        </Anchor>
        <Text size="sm" c="dimmed" truncate>
          {url}
        </Text>
      </Group>
      <Text size="sm">{told.filter(Boolean).join(', ')}</Text>
    </Card>
  )
}
