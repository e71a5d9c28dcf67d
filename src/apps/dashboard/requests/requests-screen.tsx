/** The page of requests. */
import { Alert, Group, Select, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { errorParts } from '../../../client/service-client.ts'
import { counted } from '../../../core/model/text.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { usePages } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { HttpStatus, Id, Instant, Nothing } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { PageLink, Screen, SearchBox, Typed } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

type Entry = ControlAnswer<'GET', '/requests'>['requests'][number]

const columns: readonly RowColumn<Entry>[] = [
  { title: 'When', width: '10.25rem', cell: ({ at }) => <Instant at={at} />, sort: ({ at }) => at },
  { title: 'Answer', width: '4.5rem', cell: ({ status }) => <HttpStatus status={status} /> },
  {
    title: 'Request',
    width: 'minmax(9rem, 2fr)',
    cell: ({ method, path, operation }) => <TwoLines first={operation ?? path} second={`${method} ${path}`} />,
  },
  {
    title: 'Refused because',
    width: 'minmax(8rem, 2fr)',
    cell: ({ status, response }) => {
      const why = status >= 400 ? refusalWords(response) : undefined
      return why ?? <Nothing />
    },
  },
  {
    title: 'Rule',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ rule }) => rule ?? <Nothing />,
  },
  {
    title: 'Ignored fields',
    width: 'minmax(6rem, 1fr)',
    cell: ({ unreadFields }) => unreadFields.join(', ') || <Nothing />,
  },
]

const STATUSES = ['200', '201', '400', '401', '402', '403', '404', '409', '423', '429', '500', '503']

export function RequestsScreen() {
  const [filters, setFilters] = useFilters('search', 'operation', 'status', 'refused', 'unread', 'where')
  const { refused, unread, ...others } = givenOf(filters)
  const yes = 'true' as const
  const filter = { ...others, ...(refused && { refused: yes }), ...(unread && { unread: yes }) }
  const requests = usePages(['requests', filter], ({ limit }, from) =>
    world('GET', '/requests', { query: { ...filter, limit, ...(from !== null && { from }) } }),
  )
  return (
    <Screen
      title="Requests"
      about="Every request to the service with its answer, newest first. Secrets are masked."
      actions={<ExportCsv name="requests" list="/requests" query={filter} />}
    >
      <Group gap="sm" align="flex-end">
        <SearchBox
          value={filters.search}
          change={(search) => setFilters({ search })}
          placeholder="phone, reference, error code, id"
        />
        <Typed
          value={filters.operation}
          change={(operation) => setFilters({ operation })}
          label="Operation"
          placeholder="such as createSendMoney"
          w={220}
        />
        <Select
          label="Status"
          allowDeselect={false}
          data={[{ value: '', label: 'all' }, ...STATUSES]}
          value={filters.status}
          onChange={(status) => setFilters({ status })}
          w={110}
        />
        <Typed
          value={filters.where}
          change={(where) => setFilters({ where })}
          label="Where (CEL)"
          placeholder="such as request.status >= 400"
          w={{ base: '100%', sm: 320 }}
          className="mono-input"
          data-testid="where"
        />
        {(['refused', 'unread'] as const).map((name) => (
          <Switch
            key={name}
            label={name === 'refused' ? 'Refused' : 'With ignored fields'}
            checked={filters[name] !== ''}
            onChange={(event) => setFilters({ [name]: event.currentTarget.checked ? 'true' : null })}
            mb={8}
          />
        ))}
      </Group>
      <Rows
        label="Requests"
        columns={columns}
        of={requests}
        rowsOf={(page) => page.requests}
        keyOf={({ requestId }) => requestId}
        open={({ requestId }) => `/requests/${requestId}`}
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty title="No requests yet">
            Set the base URL of your app to <Id id={worldUrl} />, or <PageLink href="/send">send a request</PageLink>{' '}
            from here.
          </Empty>
        }
      />
    </Screen>
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
