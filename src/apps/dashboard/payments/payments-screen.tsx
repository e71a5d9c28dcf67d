/** The page of all payments. */
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { usePages } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Instant, Money, Nothing, StateBadge } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { Screen } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { Refused } from '../requests/refused.tsx'
import { PaymentFilters, usePaymentFilters } from './payment-filters.tsx'

type Payment = ControlAnswer<'GET', '/payments'>['payments'][number]

const columns: readonly RowColumn<Payment>[] = [
  {
    title: 'When',
    width: '10.25rem',
    cell: ({ createdAt }) => <Instant at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    title: 'Amount',
    width: '8rem',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    sort: ({ amount }) => amount,
    right: true,
  },
  { title: 'Status', width: '7.75rem', cell: ({ status }) => <StateBadge state={status} /> },
  { title: 'With', width: 'minmax(8rem, 1.2fr)', cell: (payment) => <Party of={payment} /> },
  { title: 'Reference', width: 'minmax(6rem, .8fr)', cell: ({ referenceId }) => referenceId ?? <Nothing /> },
  { title: 'Reason', width: 'minmax(11rem, 1.6fr)', cell: (payment) => <Reason of={payment} /> },
]

function Party({ of: { party, kind } }: { of: Payment }) {
  if (party === null) return <TwoLines first={kind} />
  const { name, id, bank } = party
  const others = [kind, name !== null && id, bank && `bank ${bank}`].filter(Boolean)
  return <TwoLines first={name ?? id} second={others.join(', ')} />
}

function Reason({ of: { reason, rule } }: { of: Payment }) {
  if (reason === null) return <TwoLines first="" second={rule} />
  const under = reason.by === 'rule' ? `rule "${rule}"` : reason.why
  const told = [reason.says, reason.code].filter(Boolean).join(', ')
  return under === null ? <TwoLines first={told} /> : <TwoLines first={told} second={under} />
}

export function PaymentsScreen() {
  const { filters, query, setFilters } = usePaymentFilters()
  const payments = usePages(['payments', query], (page) => world('GET', '/payments', { query: { ...query, ...page } }))
  return (
    <Screen
      title="Payments"
      about="All payments of this world, newest first."
      actions={<ExportCsv name="payments" list="/payments" query={query} />}
    >
      <PaymentFilters filters={filters} change={setFilters} />
      {filters.search && <Refused search={filters.search} />}
      <Rows
        label="Payments"
        columns={columns}
        of={payments}
        rowsOf={(page) => page.payments}
        keyOf={({ uuid }) => uuid}
        open={({ uuid }) => `/payments/${uuid}`}
        total={payments.data?.pages[0]?.total ?? undefined}
        isFiltered={Object.keys(query).length > 0}
        empty={
          <Empty title="No payments yet">
            <Button component={Link} href="/send">
              Send a payment
            </Button>
          </Empty>
        }
      />
    </Screen>
  )
}
