/** The page of one payment. */
import { Accordion, Anchor, Button, Card, Group, SimpleGrid, Stack, Table, Text, Timeline } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PaymentDetail } from '../../../client/control-answers.ts'
import { world } from '../api/client.ts'
import { CallbackCard } from '../callbacks/callback-card.tsx'
import { PaymentFindings } from '../judge/findings.tsx'
import { Code } from '../parts/code.tsx'
import { Id, Instant, Money, money, Sentence, StateBadge } from '../parts/formatted.tsx'
import { Lifecycle } from '../parts/lifecycle-diagram.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { RuleTraceList } from '../parts/rule-trace.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { Wide } from '../parts/wide.tsx'

export default function PaymentPage({ uuid }: { uuid: string }) {
  const payment = useQuery({
    queryKey: ['payment', uuid],
    queryFn: () => world('GET', '/payments/:id', { path: { id: uuid } }),
  })
  return <QueryAnswer of={payment}>{(data) => <Detail payment={data} />}</QueryAnswer>
}

function Detail({ payment }: { payment: PaymentDetail }) {
  const { kind, status, amount, currency, referenceId, createdAt } = payment
  return (
    <Screen
      title={`${kind} ${money(amount, currency)}`}
      badge={<StateBadge state={status} />}
      about={
        <>
          {referenceId && `Reference ${referenceId}, `}
          <Instant at={createdAt} />, <Id id={payment.uuid} />
        </>
      }
      actions={<Next payment={payment} />}
    >
      <Stopped payment={payment} />
      <PaymentFindings uuid={payment.uuid} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <Section title="What happened">
          <Story payment={payment} />
        </Section>
        <Stack gap="lg">
          <Section title="Lifecycle">
            <Path payment={payment} />
          </Section>
          <Section title="Callbacks">
            {payment.callbacks.length === 0 ? (
              <Text c="dimmed" size="sm">
                None was sent: the request named no callbackUrl, or it has not come to an end.
              </Text>
            ) : (
              payment.callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} />)
            )}
          </Section>
          <Section title="Plan, rules, request and record">
            <Decided payment={payment} />
          </Section>
        </Stack>
      </SimpleGrid>
      <Section title="Transfers">
        <Transfers payment={payment} />
      </Section>
    </Screen>
  )
}

function Next({ payment }: { payment: PaymentDetail }) {
  const queries = useQueryClient()
  const resolve = useMutation({
    mutationFn: (status: string) =>
      world('POST', '/payments/:id/resolve', { path: { id: payment.uuid }, body: { status } }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const ways = payment.possible.filter(({ leadsTo }, i, all) => all.findIndex((way) => way.leadsTo === leadsTo) === i)
  if (resolve.error) return <ErrorNote error={resolve.error} />
  return ways.map(({ event, leadsTo }) => (
    <Button
      key={event}
      variant="default"
      size="xs"
      loading={resolve.isPending}
      onClick={() => resolve.mutate(leadsTo)}
      data-testid={`event-${event}`}
    >
      Make it {leadsTo}
    </Button>
  ))
}

function Stopped({ payment: { explanation } }: { payment: PaymentDetail }) {
  const { why, next } = explanation.stopped
  return (
    <Card withBorder data-testid="stopped">
      <Text>
        <Sentence text={why} />
      </Text>
      {next.map((way) => (
        <Text key={way} c="dimmed" size="sm" className="break">
          <Sentence text={way} />
        </Text>
      ))}
    </Card>
  )
}

const stations: Record<string, string> = {
  request: 'gray',
  rule: 'violet',
  plan: 'violet',
  rails: 'orange',
  transition: 'green',
  transfer: 'blue',
  callback: 'cyan',
  attempt: 'cyan',
}

function Story({ payment: { explanation } }: { payment: PaymentDetail }) {
  return (
    <Timeline
      bulletSize={12}
      lineWidth={2}
      active={explanation.story.length}
      styles={{ item: { marginTop: 'var(--mantine-spacing-sm)' } }}
      data-testid="story"
    >
      {explanation.story.map((link, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end
        <Timeline.Item key={i} color={stations[link.station] ?? 'gray'}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" fw={600}>
              {link.station}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              <Instant at={link.at} />
            </Text>
          </Group>
          <Text size="sm" className="break">
            <Sentence text={link.text} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function Path({ payment }: { payment: PaymentDetail }) {
  const machines = useQuery({ queryKey: ['machines'], queryFn: () => world('GET', '/machines') })
  return (
    <QueryAnswer of={machines}>
      {(all) => {
        const machine = all[payment.kind]
        return machine ? (
          <Lifecycle machine={machine} path={payment.timeline.happened.map(({ status }) => status)} />
        ) : (
          <Empty title="No machine is known for this kind" />
        )
      }}
    </QueryAnswer>
  )
}

function Transfers({ payment: { transfers, currency } }: { payment: PaymentDetail }) {
  if (transfers.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No money has moved, and none is reserved.
      </Text>
    )
  return (
    <Wide label="Transfers" minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['When', 'Kind', 'From', 'To', 'Amount', 'State'].map((title) => (
              <Table.Th key={title} ta={title === 'Amount' ? 'right' : undefined}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transfers.map((transfer) => (
            <Table.Tr key={transfer.id}>
              <Table.Td>
                <Instant at={transfer.createdAt} />
              </Table.Td>
              <Table.Td>{transfer.kind}</Table.Td>
              <Table.Td className="mono">{transfer.debit}</Table.Td>
              <Table.Td className="mono">{transfer.credit}</Table.Td>
              <Table.Td ta="right">
                <Money amount={transfer.amount} currency={currency} />
              </Table.Td>
              <Table.Td>{transfer.state}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

function Decided({ payment }: { payment: PaymentDetail }) {
  return (
    <Accordion variant="contained" multiple>
      <Accordion.Item value="rule">
        <Accordion.Control>Decided by the rule “{payment.rule}”</Accordion.Control>
        <Accordion.Panel>
          <Code value={payment.plan} label="the plan" />
          <Anchor component={Link} href="/scenario" size="sm">
            The scenario in force
          </Anchor>
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="trace">
        <Accordion.Control>Why it, and no other rule</Accordion.Control>
        <Accordion.Panel>
          <RuleTraceList trace={payment.trace} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="request">
        <Accordion.Control>The request</Accordion.Control>
        <Accordion.Panel>
          <Code value={payment.request} label="the request" />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="record">
        <Accordion.Control>The record, as the API gives it</Accordion.Control>
        <Accordion.Panel>
          {payment.record ? (
            <Code value={payment.record} label="the record" />
          ) : (
            <Text c="dimmed" size="sm">
              The service shows no record of this kind.
            </Text>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
