/** The newest events, on the overview. */
import { Anchor, Group, ScrollArea, Text } from '@mantine/core'
import { Link } from 'wouter'
import { type LiveEvent, useLive } from '../api/live.tsx'
import { money, shortInstant } from '../parts/formatted.tsx'

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
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {shortInstant(domainEvent.at).slice(11)}
            </Text>
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
  switch (domainEvent.type) {
    case 'payment': {
      const { payment, from, to, by } = domainEvent
      return (
        <>
          <Anchor component={Link} underline="always" href={`/payments/${payment.uuid}`} inherit>
            {payment.kind}
          </Anchor>{' '}
          {money(payment.amount, payment.currency)}: {from ? `${from} → ${to}` : to}, by {by}
        </>
      )
    }
    case 'callback': {
      const { callback, attempt } = domainEvent
      const became = attempt
        ? `attempt ${attempt.number}, ${attempt.error ?? `answered ${attempt.status}`}`
        : callback.state
      return (
        <>
          <Anchor component={Link} underline="always" href={`/callbacks/${callback.id}`} inherit>
            {callback.topic}
          </Anchor>{' '}
          callback: {became}
        </>
      )
    }
    case 'request': {
      const { request } = domainEvent
      return (
        <>
          <Anchor component={Link} underline="always" href={`/requests/${request.requestId}`} inherit>
            {request.method} {request.path}
          </Anchor>{' '}
          answered {request.status}
        </>
      )
    }
    case 'inbox':
      return <>a message in the inbox {domainEvent.inbox}</>
    case 'clock':
      return <>the clock was changed</>
    case 'scenario':
      return <>another scenario is in force</>
    default:
      return <>{domainEvent.type}</>
  }
}
