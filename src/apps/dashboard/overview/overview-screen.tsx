import { Button, Card, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { shortDuration } from '../../../core/model/time.ts'
import { worldUrl } from '../api/client.ts'
import { type LiveEvent, useLive } from '../api/live.tsx'
import { clockQuery, scenarioQuery, statisticsQuery } from '../api/queries.ts'
import { dayAndClock, Sentence, StateBadge, shortInstant } from '../parts/formatted.tsx'
import { Code, Dim, Empty, ErrorNote } from '../parts/notes.tsx'
import { PageLink, Screen, Section } from '../parts/screen.tsx'
import { Attention } from './attention.tsx'

type Statistics = ControlAnswer<'GET', '/statistics'>

export function OverviewScreen() {
  const { data, error } = useQuery(statisticsQuery)
  return (
    <Screen title="Overview">
      {data?.payments.total === 0 ? <FirstPayment /> : <Attention known={data !== undefined} />}
      {error && <ErrorNote error={error} />}
      <div className="as-wide">
        <ClockCard />
        <ScenarioCard />
        <Figure title="Payments" to="/payments" of={counts(data?.payments.total)} testId="payments-total">
          {data && <States counts={byState(data)} to={(state) => `/payments?status=${state}`} />}
        </Figure>
        <Figure title="Callbacks" to="/callbacks" of={counts(data && sum(data.callbacks))} testId="callbacks-total">
          {data && (
            <States
              counts={callbackCounts(data)}
              to={(state) => `/callbacks?state=${state === 'retrying' ? 'pending' : state}`}
            />
          )}
        </Figure>
      </div>
      <Section title="Latest events">
        <NewestEvents />
      </Section>
    </Screen>
  )
}

function counts(count: number | undefined): string {
  return count?.toLocaleString('en-GB') ?? '…'
}

function ClockCard() {
  const { data } = useQuery(clockQuery)
  return (
    <Figure title="Simulated time" of={data ? shortInstant(data.now).slice(0, -3) : '…'}>
      <Text size="sm">{[data?.mode, data?.mode === 'scaled' && `×${data.rate}`].filter(Boolean).join(' ')}</Text>
      <Dim title={data?.nextDue ?? ''}>
        {data?.nextDue ? `Next due in ${between(data.now, data.nextDue)}` : 'Nothing is due'}
      </Dim>
    </Figure>
  )
}

function ScenarioCard() {
  const { data } = useQuery(scenarioQuery)
  return (
    <Figure title="Scenario" to="/scenario" of={data?.name ?? '…'} testId="scenario-name">
      <Text size="sm" lineClamp={3}>
        {data?.description}
      </Text>
    </Figure>
  )
}

function Figure(props: { title: string; to?: string; of: ReactNode; testId?: string; children: ReactNode }) {
  const { title, to, of, testId, children } = props
  const look = { fw: 600, size: 'lg', 'data-testid': testId }
  return (
    <Card withBorder>
      <Dim>{title}</Dim>
      {to === undefined ? (
        <Text {...look}>{of}</Text>
      ) : (
        <PageLink {...look} href={to}>
          {of}
        </PageLink>
      )}
      {children}
    </Card>
  )
}

function States({ counts, to }: { counts: Readonly<Record<string, number>>; to(state: string): string }) {
  return (
    <Group gap="xs" mt={4}>
      {Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <PageLink key={state} href={to(state)} c="inherit" underline="never">
            <Group gap={4} wrap="nowrap">
              <StateBadge state={state} />
              <Text size="sm">{count.toLocaleString('en-GB')}</Text>
            </Group>
          </PageLink>
        ))}
    </Group>
  )
}

function FirstPayment() {
  return (
    <Empty title="No payments yet">
      <Stack gap="sm" align="center">
        <Text>Send one here or from your app.</Text>
        <Button component={Link} href="/send">
          Send a payment
        </Button>
        <Text>Or simulate a customer payment:</Text>
        <Code
          label="a first collection"
          value={`curl -s ${worldUrl}/_mfano/collections/stk -H 'Content-Type: application/json' \\\n  -d '{"phoneNumber":"254712345678","amount":150}'`}
        />
      </Stack>
    </Empty>
  )
}

function byState({ payments }: Statistics): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, count } of payments.byKind) counts[status] = (counts[status] ?? 0) + count
  return counts
}

/** Counts failed ones that will be retried apart from those that were never tried. */
function callbackCounts({ callbacks, retrying }: Statistics): Record<string, number> {
  const { pending, ...others } = callbacks
  return { ...others, pending: pending - retrying, retrying }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function between(from: string, to: string): string {
  return shortDuration((Date.parse(to) - Date.parse(from)) * 1000)
}

function NewestEvents() {
  const { feed, connected } = useLive()
  if (feed.length === 0) {
    return <Text c="dimmed">{connected ? 'No events yet.' : 'The stream of events is interrupted.'}</Text>
  }
  return (
    <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': 'Latest events' }}>
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }} data-testid="feed">
        {feed.map((domainEvent) => (
          <Group component="li" key={domainEvent.id} gap="sm" wrap="nowrap" py={4} align="baseline">
            <Dim size="xs" style={{ whiteSpace: 'nowrap' }}>
              {dayAndClock(domainEvent.at)[1]}
            </Dim>
            <Text size="sm" className="break">
              <Told of={domainEvent} />
            </Text>
          </Group>
        ))}
      </ol>
    </ScrollArea.Autosize>
  )
}

function Told({ of: event }: { of: LiveEvent }) {
  const href =
    ('payment' in event && event.payment && `/payments/${event.payment.uuid}`) ||
    ('callback' in event && event.callback && `/callbacks/${event.callback.id}`) ||
    ('request' in event && `/requests/${event.request.requestId}`)
  const told = <Sentence text={event.says} />
  return href ? <PageLink href={href}>{told}</PageLink> : told
}
