/** The newest events, on the overview. */
import { Group, ScrollArea, Text } from '@mantine/core'
import { type LiveEvent, useLive } from '../api/live.tsx'
import { Dim } from '../parts/dim.tsx'
import { dayAndClock, money } from '../parts/formatted.tsx'
import { PageLink } from '../parts/page-link.tsx'

export function NewestEvents() {
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
              <Sentence of={domainEvent} />
            </Text>
          </Group>
        ))}
      </ol>
    </ScrollArea.Autosize>
  )
}

// biome-ignore lint/suspicious/noExplicitAny: each kind of domain event has fields of its own
function Sentence({ of: domainEvent }: { of: LiveEvent & Record<string, any> }) {
  const { type, payment, callback, request, attempt, from, to, by } = domainEvent
  const linked = (href: string, words: string, rest: string) => (
    <>
      <PageLink underline="always" href={href}>
        {words}
      </PageLink>{' '}
      {rest}
    </>
  )
  if (type === 'payment') {
    const became = `${money(payment.amount, payment.currency)}: ${from === to ? `stays ${to}` : from ? `${from} → ${to}` : to}, by ${by}`
    return linked(`/payments/${payment.uuid}`, payment.kind, became)
  }
  if (type === 'callback') {
    const tried = attempt && `attempt ${attempt.number}, ${attempt.error ?? `answered ${attempt.status}`}`
    return linked(`/callbacks/${callback.id}`, callback.topic, `callback: ${tried ?? callback.state}`)
  }
  if (type === 'request')
    return linked(`/requests/${request.requestId}`, `${request.method} ${request.path}`, `answered ${request.status}`)
  return others[type]?.(domainEvent) ?? type
}

const others: Record<string, (event: LiveEvent) => string> = {
  inbox: ({ inbox }) => `message in the inbox ${inbox}`,
  clock: () => 'clock changed',
  scenario: () => 'scenario changed',
}
