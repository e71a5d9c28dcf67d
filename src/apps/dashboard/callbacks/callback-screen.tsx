/** The page of one callback. */

import { Alert, Button, Card, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CallbackDetail, Control } from '../../../client/control.ts'
import { useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { HttpStatus, Id, Instant, StateBadge } from '../parts/formatted.tsx'
import { Code, Dim, ErrorNote, type Fold, Folds } from '../parts/notes.tsx'
import { PageLink, QueryAnswer, Screen } from '../parts/screen.tsx'

export function CallbackScreen({ id }: { id: string }) {
  const callback = useQuery({
    queryKey: ['callback', id],
    queryFn: () => world('GET', '/callbacks/:id', { path: { id } }),
  })
  return (
    <QueryAnswer of={callback}>
      {(data) => (
        <Screen
          title={`Callback ${data.id}`}
          about={
            <>
              Written <Instant at={data.createdAt} />, <Id id={data.uid} />
              {data.payment && (
                <>
                  , about{' '}
                  <PageLink href={`/payments/${data.payment}`} underline="always">
                    this payment
                  </PageLink>
                </>
              )}
            </>
          }
        >
          <CallbackCard callback={data} />
        </Screen>
      )}
    </QueryAnswer>
  )
}

// A callback with its attempts, on a card.

function CallbackCard({ callback }: { callback: CallbackDetail }) {
  const redeliver = useChange(() => world('POST', '/callbacks/:id/redeliver', { path: { id: String(callback.id) } }))
  return (
    <Card withBorder mb="sm" data-testid="callback">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Group gap="xs">
            <PageLink href={`/callbacks/${callback.id}`} fw={600}>
              {callback.topic}
            </PageLink>
            <StateBadge state={callback.state} />
          </Group>
          <Dim className="break">
            to {callback.url}
            {callback.nextAttemptAt && (
              <>
                , next attempt <Instant at={callback.nextAttemptAt} />
              </>
            )}
          </Dim>
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
      {callback.heldFor === 'resume' && <PausedNote control={world} />}
      {redeliver.error && <ErrorNote error={redeliver.error} />}
      <Folds
        mt="xs"
        of={[
          ['Callback body', <Code key="body" value={callback.body} label="the callback's body" />],
          ...callback.tries.map(
            (attempt): Fold => [
              `attempt-${attempt.number}`,
              <Sent key={attempt.number} attempt={attempt} />,
              <Group key={attempt.number} gap="xs" wrap="nowrap">
                <HttpStatus status={attempt.status} />
                <Text size="sm" className="break">
                  Attempt {attempt.number}
                  {attempt.byHand && ' (by hand)'}, <Instant at={attempt.sentAt} />, {attempt.tookMs} ms
                  {attempt.error && `: ${attempt.error}`}
                </Text>
              </Group>,
            ],
          ),
        ]}
      />
    </Card>
  )
}

function Sent({ attempt }: { attempt: CallbackDetail['tries'][number] }) {
  const { diagnosis, url, forwarder, headers, responseBody } = attempt
  return (
    <>
      {diagnosis && (
        <Alert color="orange" title={diagnosis.what} mb="sm" data-testid="diagnosis">
          <Text size="sm">{diagnosis.why}</Text>
          <Text size="sm" fw={600}>
            {diagnosis.todo}
          </Text>
        </Alert>
      )}
      <Text size="sm" fw={600}>
        Sent to {url}
        {forwarder !== null && ` by ${forwarder}`}
      </Text>
      <Code value={headers} label="the headers that were sent" maxHeight={160} />
      <Text size="sm" fw={600} mt="xs">
        Answered
      </Text>
      <Code value={responseBody || '(nothing)'} label="the receiver's answer" maxHeight={200} />
    </>
  )
}

// Says that a world from a file sends no callbacks, and resumes them.

export function PausedNote({ control }: { control: Control }) {
  const resume = useChange(() => control('POST', '/callbacks/resume'))
  if (resume.isSuccess) return null
  return (
    <Alert color="orange" title="Callbacks are paused" mt="xs" data-testid="paused-note">
      <Group justify="space-between" gap="xs">
        <Text size="sm">This world came from a file. Its callback addresses may be somebody else's.</Text>
        <Button
          size="xs"
          variant="default"
          loading={resume.isPending}
          onClick={() => resume.mutate()}
          data-testid="resume"
        >
          Resume callbacks
        </Button>
      </Group>
      {resume.error && <ErrorNote error={resume.error} />}
    </Alert>
  )
}
