/** The page of requests. */
import { Anchor, Group, Select, Switch } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { usePages } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { HttpStatus, Id, Instant, Nothing, shortInstant } from '../parts/formatted.tsx'
import { Empty, NoMatch } from '../parts/notes.tsx'
import { type NarrowRow, type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { Screen } from '../parts/screen.tsx'
import { SearchBox, Typed } from '../parts/search-box.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { refusalWords } from './refusal-words.ts'

type Entry = ControlAnswer<'GET', '/requests'>['requests'][number]

const PAGE = 200

const columns: readonly RowColumn<Entry>[] = [
  { title: 'When', width: '9.5rem', cell: ({ at }) => <Instant at={at} /> },
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
      return why === undefined ? <Nothing /> : <span title={why}>{why}</span>
    },
  },
  {
    title: 'Rule',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ rule }) => (rule === null ? <Nothing /> : <span title={rule}>{rule}</span>),
  },
  {
    title: 'Ignored fields',
    width: 'minmax(6rem, 1fr)',
    cell: ({ unreadFields }) => unreadFields.join(', ') || <Nothing />,
  },
]

const narrow = ({ operation, path, at, status, response }: Entry): NarrowRow => ({
  lead: operation ?? path,
  under: (status >= 400 && refusalWords(response)) || shortInstant(at),
  badge: <HttpStatus status={status} />,
})

export default function Requests() {
  const [, go] = useLocation()
  const [filters, setFilters] = useFilters('search', 'operation', 'status', 'refused', 'unread', 'where')
  const { refused, unread, ...others } = givenOf(filters)
  const filter = {
    ...others,
    ...(refused && { refused: 'true' as const }),
    ...(unread && { unread: 'true' as const }),
  }
  const requests = usePages(['requests', filter], (from) =>
    world('GET', '/requests', { query: { ...filter, limit: PAGE, ...(from !== null && { from }) } }),
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
          data={[
            { value: '', label: 'all' },
            '200',
            '201',
            '400',
            '401',
            '402',
            '403',
            '404',
            '409',
            '423',
            '429',
            '500',
            '503',
          ]}
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
        <Switch
          label="Refused"
          checked={filters.refused !== ''}
          onChange={(event) => setFilters({ refused: event.currentTarget.checked ? 'true' : null })}
          mb={8}
        />
        <Switch
          label="With ignored fields"
          checked={filters.unread !== ''}
          onChange={(event) => setFilters({ unread: event.currentTarget.checked ? 'true' : null })}
          mb={8}
        />
      </Group>
      <Rows
        label="Requests"
        columns={columns}
        narrow={narrow}
        of={requests}
        rowsOf={(page) => page.requests}
        keyOf={({ requestId }) => requestId}
        open={({ requestId }) => go(`/requests/${requestId}`)}
        empty={
          Object.keys(filter).length > 0 ? (
            <NoMatch of="requests" />
          ) : (
            <Empty title="No requests yet">
              Set the base URL of your app to <Id id={worldUrl} />, or{' '}
              <Anchor component={Link} href="/send">
                send a request
              </Anchor>{' '}
              from here.
            </Empty>
          )
        }
      />
    </Screen>
  )
}
