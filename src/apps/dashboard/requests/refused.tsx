/** Requests that were turned away, beside the payments that a search finds. */
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { HttpStatus, Instant } from '../parts/formatted.tsx'
import { refusalOf } from './refusal-words.ts'

const SHOWN = 5

/** The newest refused requests that say what is looked for: such a payment was asked for, and was never made. */
export function Refused({ search }: { search: string }) {
  const found = useQuery({
    queryKey: ['requests', 'refused', search],
    queryFn: () => world('GET', '/requests', { query: { search, refused: 'true', limit: SHOWN } }),
  })
  const requests = found.data?.requests ?? []
  if (requests.length === 0) return null
  const more = found.data?.next !== null
  return (
    <Alert
      color="orange"
      title={`${more ? 'More than ' : ''}${counted(requests.length, 'refused request')} ${requests.length === 1 && !more ? 'says' : 'say'} this too`}
      data-testid="refused"
    >
      {requests.map((entry) => (
        <Group key={entry.requestId} gap="xs" wrap="nowrap" py={2}>
          <HttpStatus status={entry.status} />
          <Text size="sm" className="break">
            <Anchor component={Link} href={`/requests/${entry.requestId}`} underline="always" inherit>
              {entry.method} {entry.path.split('?')[0]}
            </Anchor>
            , <Instant at={entry.at} />
            {refusalOf(entry.response) && `: ${refusalOf(entry.response)}`}
          </Text>
        </Group>
      ))}
      {more && (
        <Anchor
          component={Link}
          href={`/requests?${new URLSearchParams({ search, refused: 'true' })}`}
          size="sm"
          underline="always"
        >
          All of them
        </Anchor>
      )}
    </Alert>
  )
}
