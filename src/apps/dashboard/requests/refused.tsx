/** Refused requests, beside the results of a search for payments. */
import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { HttpStatus, Instant } from '../parts/formatted.tsx'
import { PageLink } from '../parts/page-link.tsx'
import { refusalWords } from './refusal-words.ts'

const SHOWN = 5

/** A payment that cannot be found may never have been made, because its request was refused. */
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
            <PageLink href={`/requests/${entry.requestId}`} underline="always" inherit>
              {entry.method} {entry.path.split('?')[0]}
            </PageLink>
            , <Instant at={entry.at} />
            {refusalWords(entry.response) && `: ${refusalWords(entry.response)}`}
          </Text>
        </Group>
      ))}
      {more && (
        <PageLink href={`/requests?${new URLSearchParams({ search, refused: 'true' })}`} size="sm" underline="always">
          All of them
        </PageLink>
      )}
    </Alert>
  )
}
