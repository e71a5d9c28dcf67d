import { Alert, Button, Grid, Group, Menu, Stack, Table, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PaymentDetail } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { parseDuration, shortDuration } from '../../../core/model/time.ts'
import { ruleAddress } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { organisationsQuery } from '../api/queries.ts'
import { dayAndClock, Id, Instant, money, Sentence, StateBadge, toneOf } from '../parts/formatted.tsx'
import { Code, Dim, ErrorNote, type Fold, Folds } from '../parts/notes.tsx'
import { SmallTable } from '../parts/rows.tsx'
import { PageLink, QueryAnswer, Screen, Section } from '../parts/screen.tsx'

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
            <StoryTimeline
              story={payment.explanation.story}
              above={[payment.explanation.stopped.why, ...payment.explanation.stopped.next]}
            />
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
  const { trace, plan, request, record, callbacks } = payment
  const parts: Fold[] = [
    ['Why this rule matched', <RuleTraceList key="trace" trace={trace} />],
    ['Plan', <Code key="plan" value={plan} label="the plan" />],
    ['Request body', <Code key="request" value={request} label="the request" />],
    ['API record', record && <Code key="record" value={record} label="the record" />],
    ...callbacks.map(
      ({ id, body }): Fold => [`Callback ${id} body`, <Code key={id} value={body} label={`callback ${id}`} />],
    ),
  ]
  return <Folds of={parts.filter(([, shown]) => shown)} />
}

/** Later rules are only counted, because they were not asked. */
export function RuleTraceList({
  trace,
}: {
  trace: readonly Pick<PaymentDetail['trace'][number], 'name' | 'outcome' | 'why'>[]
}) {
  const at = trace.findIndex(({ outcome }) => outcome === 'decided')
  const decided = trace[at]
  const passed = decided ? trace.slice(0, at) : trace
  const behind = decided ? trace.length - at - 1 : 0
  const words = [
    passed.length > 0 && `${counted(passed.length, 'rule')} before it did not decide, for the reasons above.`,
    behind > 0 && `${counted(behind, 'rule')} behind it ${behind === 1 ? 'was' : 'were'} not asked.`,
  ].filter(Boolean)
  return (
    <Stack gap="xs" data-testid="rule-trace">
      <SmallTable>
        {[...(decided ? [decided] : []), ...passed].map((line) => (
          <Table.Tr key={line.name}>
            <Table.Td fw={line === decided ? 650 : undefined}>{line.name}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{line.outcome}</Table.Td>
            <Table.Td className="mono break">{line.why}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      {words.length > 0 && <Dim>{words.join(' ')}</Dim>}
    </Stack>
  )
}

function PaymentActions({ payment }: { payment: PaymentDetail }) {
  const { uuid, possible, callbacks, rule, explanation } = payment
  const path = { id: uuid }
  const end = useChange((status: string) => world('POST', '/payments/:id/resolve', { path, body: { status } }))
  const redeliver = useChange((id: number) => world('POST', '/callbacks/:id/redeliver', { path: { id } }))
  const advance = useChange((by: string) => world('POST', '/clock/advance', { body: { by } }))
  const error = end.error ?? redeliver.error ?? advance.error
  const ends = [...new Set(possible.map(({ leadsTo }) => leadsTo))]
  const lastCallback = callbacks.at(-1)
  const by = explanation.stopped.hints.find(({ operation }) => operation === 'clock.advance')?.with['by']
  const plain = { variant: 'default', size: 'xs' } as const
  return (
    <>
      <Group gap="xs" role="group" aria-label="Actions">
        {typeof by === 'string' && (
          <Button size="xs" loading={advance.isPending} onClick={() => advance.mutate(by)} data-testid="advance-to-due">
            Advance the clock by {shortDuration(parseDuration(by) ?? 0)}
          </Button>
        )}
        {ends.length > 0 && (
          <Menu>
            <Menu.Target>
              <Button {...plain} loading={end.isPending} data-testid="end-now">
                End now as…
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {ends.map((status) => (
                <Menu.Item key={status} onClick={() => end.mutate(status)} data-testid={`end-${status}`}>
                  {status}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {lastCallback && (
          <Button
            {...plain}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(lastCallback.id)}
            data-testid="redeliver"
          >
            Resend callback
          </Button>
        )}
        <Button {...plain} component={Link} href={ruleAddress(rule)}>
          Open rule
        </Button>
      </Group>
      {error && <ErrorNote error={error} />}
    </>
  )
}

function PaymentFindings({ uuid }: { uuid: string }) {
  // Always loaded again, because no event reports a comparison that somebody else made.
  const { data } = useQuery({ queryKey: ['reconcile'], queryFn: () => world('GET', '/reconcile'), staleTime: 0 })
  const { findings = [], warnings = [] } = data?.last ?? {}
  const about = [...findings, ...warnings].filter(
    ({ requestId, others = [] }) => requestId === uuid || others.includes(uuid),
  )
  if (about.length === 0) return null
  return (
    <Stack gap="xs">
      {about.map(({ code, line, text, todo, level }) => (
        <Alert
          key={`${code} ${line} ${text}`}
          color={level === 'error' ? 'red' : 'yellow'}
          variant="light"
          title={code}
          data-testid="finding"
        >
          <Text size="sm" className="break">
            {text}
          </Text>
          {todo && <Dim>{todo}</Dim>}
        </Alert>
      ))}
    </Stack>
  )
}

// The timeline of a payment, in one list: first what the merchant saw, then what the rails did, then the details.

type Step = PaymentDetail['explanation']['story'][number]

/** With a title: what the merchant saw. Without: what the rails did. What is not named is a detail. */
const weights: Partial<Record<Step['station'], string>> = {
  request: 'Request',
  answer: 'Answer',
  repeat: 'The same request again',
  attempt: 'Callback',
  transition: '',
  rails: '',
}

interface StoryProps {
  story: readonly Step[]
  above?: readonly string[]
  /** Nothing of it was kept, so nothing leads anywhere. */
  isForeseen?: true
}

export function StoryTimeline({ story, above = [], isForeseen }: StoryProps) {
  const began = story[0]?.at ?? ''
  return (
    <Timeline
      bulletSize={14}
      lineWidth={2}
      active={story.length}
      styles={{ item: { marginTop: 'var(--mantine-spacing-sm)' } }}
      data-testid="story"
    >
      {story.map((step, i) => {
        const [day, clock] = dayAndClock(step.at)
        const [dayBefore, clockBefore] = i === 0 ? [] : dayAndClock(story[i - 1]?.at ?? '')
        const isNewDay = day !== dayBefore
        const title = weights[step.station]
        const isDetail = title === undefined
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end
            key={i}
            color={colourOf(step)}
            lineVariant={isDetail ? 'dotted' : 'solid'}
            styles={isDetail ? { itemBullet: { visibility: 'hidden' } } : {}}
            data-weight={isDetail ? 'detail' : title ? 'merchant' : 'rails'}
          >
            {isNewDay && (
              <Text size="sm" fw={650} mb={4} data-testid="day">
                {day}
              </Text>
            )}
            <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
              <Text size={isDetail ? 'xs' : 'sm'} c={isDetail ? 'dimmed' : undefined} className="break">
                {title && (
                  <Text span inherit fw={650}>
                    {title}.{' '}
                  </Text>
                )}
                <Sentence text={toldOnce(step, above)} />
                {!isForeseen && <More step={step} />}
              </Text>
              {(isNewDay || clock !== clockBefore) && (
                <Dim size="xs" style={{ whiteSpace: 'nowrap' }}>
                  <Instant at={step.at}>
                    {clock}
                    {i > 0 && `, +${shortDuration(spanUs(began, step.at))}`}
                  </Instant>
                </Dim>
              )}
            </Group>
            {step.station === 'attempt' && step.diagnosis && !above.includes(step.diagnosis.todo) && (
              <Text size="sm" data-testid="diagnosis">
                {step.diagnosis.todo}
              </Text>
            )}
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

function More({ step }: { step: Step }) {
  const [href, words] =
    step.station === 'attempt'
      ? [`/callbacks/${step.callback}`, 'What was sent']
      : step.station === 'request' && step.requestId
        ? [`/requests/${step.requestId}`, 'Open request']
        : []
  if (href === undefined) return null
  return (
    <>
      {' '}
      <PageLink href={href} underline="always" style={{ whiteSpace: 'nowrap' }}>
        {words}
      </PageLink>
    </>
  )
}

function toldOnce(step: Step, above: readonly string[]): string {
  const why = step.station === 'attempt' ? step.diagnosis?.why : undefined
  return why !== undefined && above.some((one) => one.includes(why))
    ? step.text.replace(`, because ${why}`, '')
    : step.text
}

function colourOf(step: Step): string {
  if (step.station === 'transition') return toneOf(step.to ?? '')
  if (step.station === 'attempt') return step.error === null ? 'green' : 'red'
  if (step.station === 'answer') return step.status && step.status < 400 ? 'green' : 'red'
  return 'gray'
}

function spanUs(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) * 1000
}
