/** The page of requests. */
import { Group, Select, Switch } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { usePages } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { HttpStatus, Id, Instant, Nothing } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { PageLink } from '../parts/page-link.tsx'
import { type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { Screen } from '../parts/screen.tsx'
import { SearchBox, Typed } from '../parts/search-box.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { refusalWords } from './refusal-words.ts'

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
