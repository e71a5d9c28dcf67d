/** The page of all payments. */
import { Group, Select, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { firstPage, world } from '../api/client.ts'
import { kindsQuery } from '../api/queries.ts'
import { Instant, Money, Nothing, StateBadge, shortInstant } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type NarrowRow, type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { Screen } from '../parts/screen.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { Refused } from '../requests/refused.tsx'

type Payment = ControlAnswer<'GET', '/payments'>['payments'][number]

const statuses = [
  'PENDING',
  'PROCESSING',
  'REQUIRES_CUSTOMER_ACTION',
  'SUCCESS',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
]
const PAGE = 200

const columns: readonly RowColumn<Payment>[] = [
  { title: 'When', width: '9.5rem', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { title: 'Kind', width: 'minmax(5.5rem, .6fr)', cell: ({ kind }) => kind },
  { title: 'With', width: 'minmax(6.5rem, 1.6fr)', cell: (payment) => <Party of={payment} /> },
  {
    title: 'Amount',
    width: 'minmax(8.5rem, .6fr)',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    right: true,
  },
  { title: 'Status', width: '7rem', cell: ({ status }) => <StateBadge state={status} /> },
  {
    title: 'Reference, id',
    width: 'minmax(7rem, 1fr)',
    cell: ({ referenceId, uuid }) =>
      referenceId === null ? <TwoLines first={uuid} /> : <TwoLines first={referenceId} second={uuid} />,
  },
  { title: 'Reason, or rule', width: 'minmax(9rem, 1.8fr)', cell: (payment) => <Reason of={payment} /> },
]

function narrow(payment: Payment): NarrowRow {
  const { createdAt, amount, currency, status } = payment
  return {
    lead: <Party of={payment} short />,
    under: shortInstant(createdAt),
    figure: <Money amount={amount} currency={currency} />,
    badge: <StateBadge state={status} />,
  }
}

function Party({ of: { party, kind }, short = false }: { of: Payment; short?: boolean }) {
  if (short) return party?.name ?? party?.id ?? kind
  if (party === null) return <Nothing />
  const number = [party.id, party.bank && `bank ${party.bank}`].filter(Boolean).join(', ')
  return party.name === null ? <TwoLines first={number} /> : <TwoLines first={party.name} second={number} />
}

function Reason({ of: { reason, rule } }: { of: Payment }) {
  if (reason === null)
    return (
      <Text span c="dimmed" inherit title={rule}>
        {rule}
      </Text>
    )
  const told = [reason.says, reason.code].filter(Boolean).join(', ')
  return reason.why === null ? told : <TwoLines first={told} second={reason.why} />
}

export default function Payments() {
  const [, go] = useLocation()
  const kinds = useQuery(kindsQuery)
  const [filters, setFilters] = useFilters('search', 'kind', 'status')
  const filter = givenOf(filters)
  const payments = useInfiniteQuery({
    queryKey: ['payments', filter],
    queryFn: ({ pageParam }) =>
      world('GET', '/payments', {
        query: { ...filter, limit: PAGE, ...(pageParam !== null && { before: pageParam }) },
      }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
  })
  const filtered = Object.keys(filter).length > 0

  return (
    <Screen
      title="Payments"
      about="Everything that moves money through states, newest first."
      actions={<ExportCsv name="payments" list="/payments" query={filter} />}
    >
      <Group gap="sm" align="flex-end">
        <SearchBox
          value={filters.search}
          change={(search) => setFilters({ search })}
          placeholder="phone, name, reference, id, receipt"
        />
        <Select
          label="Kind"
          placeholder="all"
          clearable
          data={kinds.data?.kinds.map(({ kind }) => kind) ?? []}
          value={filters.kind || null}
          onChange={(kind) => setFilters({ kind })}
          w={170}
          data-testid="kind"
        />
        <Select
          label="Status"
          placeholder="all"
          clearable
          data={statuses}
          value={filters.status || null}
          onChange={(status) => setFilters({ status })}
          w={170}
          data-testid="status"
        />
      </Group>
      {filters.search && <Refused search={filters.search} />}
      <Rows
        label="Payments"
        columns={columns}
        narrow={narrow}
        of={payments}
        rowsOf={(page) => page.payments}
        keyOf={({ uuid }) => uuid}
        open={({ uuid }) => go(`/payments/${uuid}`)}
        total={payments.data?.pages[0]?.total ?? undefined}
        empty={
          filtered ? (
            <Empty title="No payment is like that">Take a part of the filter away.</Empty>
          ) : (
            <Empty title="No payment yet">
              Send one from your app, or let a customer pay in: the handset and the wallets pages can do both.
            </Empty>
          )
        }
      />
    </Screen>
  )
}
