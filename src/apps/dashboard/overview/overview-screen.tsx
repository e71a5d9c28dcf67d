/** The overview page. */
import { Anchor, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { shortDuration } from '../../../core/model/short-duration.ts'
import { worldUrl } from '../api/client.ts'
import { clockQuery, scenarioQuery, statisticsQuery } from '../api/queries.ts'
import { Code } from '../parts/code.tsx'
import { Columns } from '../parts/columns.tsx'
import { StateBadge, shortInstant } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { NewestEvents } from './newest-events.tsx'
import { Undelivered } from './undelivered.tsx'

type Statistics = ControlAnswer<'GET', '/statistics'>

export function Overview() {
  const statistics = useQuery(statisticsQuery)
  return (
    <Screen title="Overview" about="What is going on in this world.">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
        <ClockCard />
        <ScenarioCard />
        <Figure title="Payments" to="/payments" of={statistics.data?.payments.total} testId="payments-total">
          {statistics.data && <States counts={byState(statistics.data)} to={(state) => `/payments?status=${state}`} />}
        </Figure>
        <Figure
          title="Callbacks"
          to="/callbacks"
          of={statistics.data && sum(statistics.data.callbacks)}
          testId="callbacks-total"
        >
          {statistics.data && (
            <States
              counts={callbackCounts(statistics.data)}
              to={(state) => `/callbacks?state=${state === 'retrying' ? 'pending' : state}`}
            />
          )}
        </Figure>
      </SimpleGrid>
      <QueryAnswer of={statistics}>
        {(data) => (data.payments.total === 0 ? <FirstPayment /> : <Charts statistics={data} />)}
      </QueryAnswer>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Undelivered />
        <Section title="What happens now">
          <NewestEvents />
        </Section>
      </SimpleGrid>
    </Screen>
  )
}

function ClockCard() {
  const { data } = useQuery(clockQuery)
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Simulated time
      </Text>
      <Text fw={600} size="lg" truncate>
        {data ? shortInstant(data.now).slice(0, 16) : '…'}
      </Text>
      <Text size="sm">
        {data?.mode === 'frozen' ? 'Frozen: it moves when you move it' : data?.mode}
        {data?.mode === 'scaled' && ` ×${data.rate}`}
      </Text>
      <Text size="sm" c="dimmed" title={data?.nextDue ?? ''}>
        {data?.nextDue ? `Next due in ${between(data.now, data.nextDue)}` : 'Nothing is due'}
      </Text>
    </Card>
  )
}

function ScenarioCard() {
  const { data } = useQuery(scenarioQuery)
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Scenario
      </Text>
      <Anchor component={Link} href="/scenario" fw={600} size="lg" data-testid="scenario-name">
        {data?.name ?? '…'}
      </Anchor>
      <Text size="sm" lineClamp={3}>
        {data?.description}
      </Text>
    </Card>
  )
}

function Figure(props: { title: string; to: string; of: number | undefined; testId: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {props.title}
      </Text>
      <Anchor component={Link} href={props.to} fw={600} size="lg" data-testid={props.testId}>
        {props.of?.toLocaleString('en-GB') ?? '…'}
      </Anchor>
      {props.children}
    </Card>
  )
}

function States({ counts, to }: { counts: Readonly<Record<string, number>>; to(state: string): string }) {
  return (
    <Group gap="xs" mt={4}>
      {Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <Anchor key={state} component={Link} href={to(state)} c="inherit" underline="never">
            <Group gap={4} wrap="nowrap">
              <StateBadge state={state} />
              <Text size="sm">{count.toLocaleString('en-GB')}</Text>
            </Group>
          </Anchor>
        ))}
    </Group>
  )
}

function Charts({ statistics: { overTime, latency } }: { statistics: Statistics }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card withBorder component="section" aria-label="Payments over simulated time">
        <Title order={2} size="h5" mb="xs">
          Payments over simulated time
        </Title>
        <Columns
          title="Payments by state over simulated time"
          unit="payment"
          columns={overTime.map(({ from, counts }) => ({ label: shortInstant(from), counts }))}
        />
      </Card>
      <Card withBorder component="section" aria-label="How fast receivers answer">
        <Title order={2} size="h5" mb="xs">
          How fast receivers answer
        </Title>
        <Columns
          title="Delivery attempts by the time until their answer"
          unit="attempt"
          columns={latency.map(({ upToMs, count }, i) => ({
            label: upToMs === null ? `over ${latency[i - 1]?.upToMs} ms` : `up to ${upToMs} ms`,
            counts: { attempts: count },
          }))}
        />
      </Card>
    </SimpleGrid>
  )
}

function FirstPayment() {
  return (
    <Empty title="No payment yet">
      <Stack gap="sm">
        <Text>Let a customer pay in, and watch it arrive here; or send a first payment from your app.</Text>
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
