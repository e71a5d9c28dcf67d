/** What needs attention: payments that failed lately, callbacks that nobody took, rules that never fired. */
import { Anchor, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import type { PaymentSummary } from '../../../client/control-answers.ts'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { clockQuery } from '../api/queries.ts'
import { money, shortInstant } from '../parts/formatted.tsx'
import { IconAlertTriangle, IconCheck, IconX } from '../parts/icons.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]

const SHOWN = 5
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** To find what came nearest to a rule takes the server long, so it is not asked upon each event. */
const RULES_AGAIN_MS = 10_000
const RETRYING = 'callback.state == "pending" && callback.attempts > 0.0'

export function Attention() {
  const clock = useQuery(clockQuery)
  const minute = clock.data && Math.floor(Date.parse(clock.data.now) / MINUTE_MS) * MINUTE_MS
  const failed = useQuery({
    queryKey: ['payments', 'failed', minute],
    queryFn: () => {
      const since = new Date((minute ?? 0) - HOUR_MS).toISOString()
      return world('GET', '/payments', { query: { outcome: 'failed', since, limit: SHOWN } })
    },
    enabled: minute !== undefined,
    placeholderData: keepPreviousData,
  })
  const callbacks = (name: string, query: { where: string } | { state: 'failed' }) => ({
    queryKey: ['callbacks', name],
    queryFn: () => world('GET', '/callbacks', { query: { ...query, limit: SHOWN } }),
  })
  const retrying = useQuery(callbacks('retrying', { where: RETRYING }))
  const givenUp = useQuery(callbacks('failed', { state: 'failed' }))
  const hits = useQuery({
    queryKey: ['never-fired'],
    queryFn: () => world('GET', '/scenario/hits'),
    refetchInterval: RULES_AGAIN_MS,
  })
  // The default scenario has a rule for each number that a sandbox knows, and an app uses few.
  const idle = hits.data && hits.data.scenario !== 'default' ? hits.data.neverFired : []
  const blocks = [
    failed.data && <Failed key="failed" payments={failed.data.payments} total={failed.data.total} />,
    retrying.data && <Untold key="retrying" title="Being retried" of={retrying.data.callbacks} />,
    givenUp.data && <Untold key="given-up" title="Given up" of={givenUp.data.callbacks} />,
    idle.length > 0 && <Idle key="idle" rules={idle} />,
  ]
  const count = [failed.data?.payments, retrying.data?.callbacks, givenUp.data?.callbacks, idle].flat().length
  if (count > 0)
    return (
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} data-testid="attention">
        {blocks}
      </SimpleGrid>
    )
  if (!failed.data || !retrying.data || !givenUp.data) return null
  return (
    <Group gap="xs" c="green" wrap="nowrap" data-testid="attention">
      <IconCheck size={18} />
      <Text size="sm">Nothing needs attention. No payment failed in the last hour, and no callback failed.</Text>
    </Group>
  )
}

function Block(props: { title: string; tone: string; to: string; children: ReactNode }) {
  const { title, tone, to, children } = props
  const Sign = tone === 'red' ? IconX : IconAlertTriangle
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group gap="xs" mb="xs" c={`var(--mantine-color-${tone}-light-color)`} wrap="nowrap" align="flex-start">
        <Sign size={18} />
        <Title order={2} size="h5">
          {title}
        </Title>
        <Anchor component={Link} href={to} fz="sm" ml="auto" style={{ whiteSpace: 'nowrap' }}>
          View all
        </Anchor>
      </Group>
      <Stack gap={6}>{children}</Stack>
    </Card>
  )
}

function Line({ to, words, told }: { to: string; words: string; told: string }) {
  return (
    <div>
      <Anchor component={Link} href={to} fz="sm" fw={600} className="break">
        {words}
      </Anchor>
      <Text size="sm" c="dimmed" className="break" lineClamp={2}>
        {told}
      </Text>
    </div>
  )
}

function Failed({ payments, total }: { payments: readonly PaymentSummary[]; total: number | null }) {
  if (payments.length === 0) return null
  return (
    <Block
      title={`${counted(total ?? payments.length, 'payment')} failed in the last hour`}
      tone="red"
      to="/payments?outcome=failed"
    >
      {payments.map(({ uuid, amount, currency, kind, referenceId, reason, rule }) => (
        <Line
          key={uuid}
          to={`/payments/${uuid}`}
          words={[`${money(amount, currency)} ${kind}`, referenceId].filter(Boolean).join(', ')}
          told={[reason?.says, reason?.why ?? rule].filter(Boolean).join(': ')}
        />
      ))}
    </Block>
  )
}

function Untold({ title, of }: { title: string; of: readonly Callback[] }) {
  if (of.length === 0) return null
  const isOver = title === 'Given up'
  return (
    <Block
      title={`Callbacks: ${title.toLowerCase()}`}
      tone={isOver ? 'red' : 'orange'}
      to={`/callbacks?state=${isOver ? 'failed' : 'pending'}`}
    >
      {of.map(({ id, topic, about, url, attempts, lastAttempt, nextAttemptAt }) => {
        const ended = lastAttempt?.status ? `answered ${lastAttempt.status}` : lastAttempt?.error
        const next = nextAttemptAt && `next ${shortInstant(nextAttemptAt)}`
        return (
          <Line
            key={id}
            to={`/callbacks/${id}`}
            words={about?.referenceId ?? topic}
            told={[counted(attempts, 'attempt'), ended, next, url].filter(Boolean).join(', ')}
          />
        )
      })}
    </Block>
  )
}

function Idle({ rules }: { rules: ControlAnswer<'GET', '/scenario/hits'>['neverFired'] }) {
  return (
    <Block title={`${counted(rules.length, 'rule')} never fired`} tone="orange" to="/scenario?part=rules">
      {rules.slice(0, SHOWN).map(({ rule, why }) => (
        <Line key={rule} to={`/scenario?part=rules&rule=${encodeURIComponent(rule)}`} words={rule} told={why} />
      ))}
    </Block>
  )
}
