/** The page of requests. */
import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { errorParts } from '../../../client/service-client.ts'
import { counted } from '../../../core/model/text.ts'
import { world, worldUrl } from '../api/client.ts'
import { HttpStatus, Id, Instant, Nothing } from '../parts/formatted.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { TwoLines } from '../parts/rows.tsx'
import { PageLink } from '../parts/screen.tsx'

type Entry = ControlAnswer<'GET', '/requests'>['requests'][number]

const columns = columnsOf<Entry>('requests.list', {
  at: { title: 'When' },
  status: { title: 'Answer' },
  path: {
    title: 'Request',
    cell: ({ method, path, operation }) => <TwoLines first={operation ?? path} second={`${method} ${path}`} />,
  },
  response: {
    form: 'text',
    title: 'Refused because',
    cell: ({ status, response }) => (status >= 400 ? refusalWords(response) : undefined) ?? <Nothing />,
  },
  rule: { width: 'minmax(7rem, 1.2fr)' },
  unreadFields: { width: 'minmax(6rem, 1fr)' },
  requestId: null,
  method: null,
})

export function RequestsScreen() {
  return (
    <ListScreen
      list={useList('requests.list')}
      about="Every request to the service with its answer, newest first. Secrets are masked."
      search="phone, reference, error code, id"
      first={['operation', 'status', 'where', 'refused', 'unread']}
      columns={columns}
      keyOf={({ requestId }) => requestId}
      open={({ requestId }) => `/requests/${requestId}`}
      empty={
        <Empty title="No requests yet">
          Set the base URL of your app to <Id id={worldUrl} />, or <PageLink href="/send">send a request</PageLink> from
          here.
        </Empty>
      }
    />
  )
}

// Refused requests, beside the results of a search for payments.

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

// Reads the reason of a refusal from any of the published error forms.

function refusalWords(response: unknown): string | undefined {
  const { code, message, details } = errorParts(response)
  return [code, details || message].filter(Boolean).join(': ') || undefined
}
