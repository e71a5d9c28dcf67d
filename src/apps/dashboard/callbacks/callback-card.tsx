/** A callback with its attempts, on a card. */
import { Accordion, Alert, Anchor, Button, Card, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CallbackDetail } from '../../../client/control-answers.ts'
import { useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { HttpStatus, Instant, StateBadge } from '../parts/formatted.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { HeldAddresses, HeldNote } from './address-question.tsx'

export function CallbackCard({ callback }: { callback: CallbackDetail }) {
  const redeliver = useChange(() => world('POST', '/callbacks/:id/redeliver', { path: { id: String(callback.id) } }))
  const [asking, setAsking] = useState(false)
  const addresses = useQuery({
    queryKey: ['held-addresses'],
    queryFn: () => world('GET', '/callbacks/held'),
    enabled: asking,
  })
  return (
    <Card withBorder mb="sm" data-testid="callback">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Group gap="xs">
            <Anchor component={Link} href={`/callbacks/${callback.id}`} fw={600}>
              {callback.topic}
            </Anchor>
            <StateBadge state={callback.state} />
          </Group>
          <Text size="sm" c="dimmed" className="break">
            to {callback.url}
            {callback.nextAttemptAt && (
              <>
                , next attempt <Instant at={callback.nextAttemptAt} />
              </>
            )}
          </Text>
          {callback.fault && (
            <Text size="sm" c="orange">
              A fault of the scenario: {callback.fault.does} ({callback.fault.rule})
            </Text>
          )}
        </div>
        <Button
          size="xs"
          variant="default"
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
          data-testid="redeliver"
        >
          Send it again
        </Button>
      </Group>
      {callback.heldFor === 'release' && <HeldNote ask={() => setAsking(true)} />}
      {asking && addresses.data && (
        <HeldAddresses control={world} held={addresses.data.held} close={() => setAsking(false)} />
      )}
      {redeliver.error && <ErrorNote error={redeliver.error} />}
      <Accordion mt="xs" variant="contained">
        <Accordion.Item value="body">
          <Accordion.Control>Callback body</Accordion.Control>
          <Accordion.Panel>
            <Code value={callback.body} label="the callback's body" />
          </Accordion.Panel>
        </Accordion.Item>
        {callback.tries.map((attempt) => (
          <Accordion.Item key={attempt.number} value={`attempt-${attempt.number}`}>
            <Accordion.Control>
              <Group gap="xs" wrap="nowrap">
                <HttpStatus status={attempt.status} />
                <Text size="sm" className="break">
                  Attempt {attempt.number}
                  {attempt.byHand && ' (by hand)'}, <Instant at={attempt.sentAt} />, {attempt.tookMs} ms
                  {attempt.error && `: ${attempt.error}`}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {attempt.diagnosis && (
                <Alert color="orange" title={attempt.diagnosis.what} mb="sm" data-testid="diagnosis">
                  <Text size="sm">{attempt.diagnosis.why}</Text>
                  <Text size="sm" fw={600}>
                    {attempt.diagnosis.todo}
                  </Text>
                </Alert>
              )}
              <Text size="sm" fw={600}>
                Sent to {attempt.url}
                {attempt.forwarder !== null && ` by ${attempt.forwarder}`}
              </Text>
              <Code value={attempt.headers} label="the headers that were sent" maxHeight={160} />
              <Text size="sm" fw={600} mt="xs">
                Answered
              </Text>
              <Code value={attempt.responseBody || '(nothing)'} label="the receiver's answer" maxHeight={200} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Card>
  )
}
