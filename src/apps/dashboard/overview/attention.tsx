import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ControlAnswer, PaymentSummary } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { ruleAddress } from '../api/address.ts'
import { world } from '../api/client.ts'
import { clockQuery } from '../api/queries.ts'
import { money, shortInstant } from '../parts/formatted.tsx'
import { FoundCard, type FoundItem } from '../parts/found-card.tsx'
import { IconCheck } from '../parts/icons.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]

const SHOWN = 5
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** To find what came nearest to a rule takes the server long, so it is not asked upon each event. */
const RULES_AGAIN_MS = 10_000
const RETRYING = 'callback.state == "pending" && callback.attempts > 0.0'

export function Attention({ known }: { known: boolean }) {
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
    // Last, because its answer takes the server longest.
    enabled: givenUp.data !== undefined,
  })
  if (!failed.data || !retrying.data || !givenUp.data) return null
  // The default scenario has a rule for each number that a sandbox knows, and an app uses few.
  const idle = hits.data && hits.data.scenario !== 'default' ? hits.data.hits.filter(({ why }) => why !== null) : []
  const concerns: FoundItem[] = [
    {
      title: 'Payments: failed in the last hour',
      tone: 'red' as const,
      to: '/payments?outcome=failed',
      lines: failed.data.payments.map(paymentLine),
    },
    {
      title: 'Callbacks: being retried',
      tone: 'orange' as const,
      to: '/callbacks?state=pending',
      lines: retrying.data.callbacks.map(callbackLine),
    },
    {
      title: 'Callbacks: given up',
      tone: 'red' as const,
      to: '/callbacks?state=failed',
      lines: givenUp.data.callbacks.map(callbackLine),
    },
    {
      title: `${counted(idle.length, 'rule')} never fired`,
      tone: 'orange' as const,
      to: '/rules',
      lines: idle.slice(0, SHOWN).map(({ name, why }) => ({ to: ruleAddress(name), words: name, told: why ?? '' })),
    },
  ].filter(({ lines }) => lines.length > 0)
  if (concerns.length === 0)
    return known ? (
      <Group gap="xs" c="green" wrap="nowrap" data-testid="attention">
        <IconCheck size={18} />
        <Text size="sm">Nothing needs attention. No payment failed in the last hour, and no callback failed.</Text>
      </Group>
    ) : null
  return (
    <div className="as-wide" data-testid="attention">
      {concerns.map((concern) => (
        <FoundCard key={concern.title} {...concern} />
      ))}
    </div>
  )
}

export function paymentLine(payment: PaymentSummary) {
  const { uuid, amount, currency, kind, referenceId, reason, status, createdAt } = payment
  return {
    to: `/payments/${uuid}`,
    words: [`${money(amount, currency)} ${kind}`, referenceId].filter(Boolean).join(', '),
    told: reason ? [reason.says, reason.why].filter(Boolean).join(': ') : `${status}, ${shortInstant(createdAt)}`,
  }
}

export function callbackLine({ id, topic, about, url, attempts, lastAttempt, nextAttemptAt }: Callback) {
  const ended = lastAttempt?.status ? `answered ${lastAttempt.status}` : lastAttempt?.error
  const next = nextAttemptAt && `next ${shortInstant(nextAttemptAt)}`
  return {
    to: `/callbacks/${id}`,
    words: about?.referenceId ?? topic,
    told: [counted(attempts, 'attempt'), ended, next, url].filter(Boolean).join(', '),
  }
}
