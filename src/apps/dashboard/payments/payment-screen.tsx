/** The page of one payment. */
import { Alert, Grid, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PaymentDetail } from '../../../client/control-answers.ts'
import { world } from '../api/client.ts'
import { organisationsQuery } from '../api/queries.ts'
import { Code } from '../parts/code.tsx'
import { type Fold, Folds } from '../parts/folds.tsx'
import { Id, money, Sentence, StateBadge, toneOf } from '../parts/formatted.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { RuleTraceList } from '../parts/rule-trace.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { PaymentActions } from './payment-actions.tsx'
import { PaymentFindings } from './payment-findings.tsx'
import { Lifecycle } from './payment-lifecycle.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'

export function PaymentScreen({ uuid }: { uuid: string }) {
  const payment = useQuery({
    queryKey: ['payment', uuid],
    queryFn: () => world('GET', '/payments/:id', { path: { id: uuid } }),
  })
  return <QueryAnswer of={payment}>{(data) => <Detail payment={data} />}</QueryAnswer>
}

function Detail({ payment }: { payment: PaymentDetail }) {
  const { kind, status, amount, currency, party, referenceId, uuid } = payment
  return (
    <Screen
      title={`${money(amount, currency)} ${kind}`}
      badge={<StateBadge state={status} size="lg" />}
      about={
        <>
          {[party && `with ${party.name ?? party.id}`, referenceId].filter(Boolean).join(', ')} <Id id={uuid} />
        </>
      }
    >
      <Why payment={payment} />
      <PaymentActions payment={payment} />
      <PaymentFindings uuid={uuid} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title="Timeline">
            <PaymentTimeline payment={payment} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section title="Details">
            <Stack gap="md">
              <Facts payment={payment} />
              <Exactly payment={payment} />
            </Stack>
          </Section>
        </Grid.Col>
      </Grid>
    </Screen>
  )
}

/** The first sentence says why it is where it is; the others what comes of it. */
const FIRST_SENTENCE = /^.+?[.!](?= [A-Z]|$)/s

function Why({ payment: { status, explanation } }: { payment: PaymentDetail }) {
  const { why, next, hints } = explanation.stopped
  const [first = why] = FIRST_SENTENCE.exec(why) ?? []
  // The buttons below need no request beside them.
  const others = next.filter((way) => !hints.some(({ text, operation }) => text === way && BUTTONS.has(operation)))
  return (
    <Alert color={toneOf(status)} variant="light" title={<Sentence text={first} />} data-testid="stopped">
      {[why.slice(first.length).trim(), ...others].filter(Boolean).map((text) => (
        <Text key={text} size="sm" className="break">
          <Sentence text={text} />
        </Text>
      ))}
    </Alert>
  )
}

const BUTTONS = new Set(['callback.redeliver', 'clock.advance', 'payment.resolve'])

function Facts({ payment }: { payment: PaymentDetail }) {
  const organisations = useQuery(organisationsQuery)
  const { organisationId, party, rule } = payment
  const facts: [string, ReactNode][] = [
    ['With', party && [party.name, party.id, party.bank && `bank ${party.bank}`].filter(Boolean).join(', ')],
    ['Organisation', organisations.data?.organisations.find(({ uuid }) => uuid === organisationId)?.name],
    ['Rule', rule],
  ]
  return (
    <SmallTable variant="vertical" layout="fixed">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={120}>{name}</Table.Th>
            <Table.Td className="break">{value}</Table.Td>
          </Table.Tr>
        ))}
    </SmallTable>
  )
}

function Exactly({ payment }: { payment: PaymentDetail }) {
  const { kind, trace, plan, request, record, callbacks, timeline } = payment
  const machines = useQuery({ queryKey: ['machines'], queryFn: () => world('GET', '/machines') })
  const machine = machines.data?.[kind]
  const parts: Fold[] = [
    ['Why this rule matched', <RuleTraceList key="trace" trace={trace} />],
    ['Plan', <Code key="plan" value={plan} label="the plan" />],
    ['Request body', <Code key="request" value={request} label="the request" />],
    ['API record', record && <Code key="record" value={record} label="the record" />],
    ...callbacks.map(
      ({ id, body }): Fold => [`Callback ${id} body`, <Code key={id} value={body} label={`callback ${id}`} />],
    ),
    ['Lifecycle', machine && <Lifecycle machine={machine} path={timeline.happened.map(({ status }) => status)} />],
  ]
  return <Folds of={parts.filter(([, shown]) => shown)} />
}
