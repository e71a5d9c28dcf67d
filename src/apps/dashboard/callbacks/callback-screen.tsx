import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CallbackDetail } from '../../../client/control.ts'
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
  return <QueryAnswer of={callback}>{(data) => <Detail callback={data} />}</QueryAnswer>
}

function Detail({ callback }: { callback: CallbackDetail }) {
  const { id, uid, topic, payment, url, createdAt, nextAttemptAt, fault } = callback
  const redeliver = useChange(() => world('POST', '/callbacks/:id/redeliver', { path: { id: String(id) } }))
  return (
    <Screen
      title={`Callback ${id}`}
      badge={<StateBadge state={callback.state} size="lg" />}
      about={
        <>
          Written <Instant at={createdAt} />, <Id id={uid} />, about {topic}
          {payment && (
            <>
              :{' '}
              <PageLink href={`/payments/${payment}`} underline="always">
                this payment
              </PageLink>
            </>
          )}
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
          data-testid="redeliver"
        >
          Send it again
        </Button>
      }
    >
      <Dim className="break">
        to {url}
        {nextAttemptAt && (
          <>
            , next attempt <Instant at={nextAttemptAt} />
          </>
        )}
      </Dim>
      {fault && (
        <Text size="sm" c="orange">
          A fault of the scenario: {fault.does} ({fault.rule})
        </Text>
      )}
      {callback.heldFor === 'resume' && <PausedNote />}
      {redeliver.error && <ErrorNote error={redeliver.error} />}
      <Folds
        of={[
          ['Callback body', <Code key="body" value={callback.body} label="the callback's body" />],
          ...callback.tries.map((attempt): Fold => {
            const { number, status, byHand, sentAt, tookMs, error } = attempt
            const title = (
              <Group key={number} gap="xs" wrap="nowrap">
                <HttpStatus status={status} />
                <Text size="sm" className="break">
                  Attempt {number}
                  {byHand && ' (by hand)'}, <Instant at={sentAt} />, {tookMs} ms{error && `: ${error}`}
                </Text>
              </Group>
            )
            return [`attempt-${number}`, <Sent key={number} attempt={attempt} />, title]
          }),
        ]}
      />
    </Screen>
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

function PausedNote() {
  const resume = useChange(() => world('POST', '/callbacks/resume'))
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
