/** The page of all payments. */
import { Button, Collapse, Group, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { parseInZone } from '../../../core/model/calendar.ts'
import { keysIn } from '../../../core/model/must.ts'
import { isoInstant } from '../../../core/model/time.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { usePages } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { pageZone } from '../api/page-zone.ts'
import { kindsQuery, organisationsQuery } from '../api/queries.ts'
import { Instant, Money, Nothing, StateBadge } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { Screen, SearchBox, Typed } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { Refused } from '../requests/requests-screen.tsx'

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

// Filters of the list of payments, kept in the address.

const rare = ['organisationId', 'from', 'to', 'minAmount', 'maxAmount'] as const
const names = ['search', 'kind', 'status', 'outcome', ...rare] as const

type Filters = Record<(typeof names)[number], string>
type Change = (changes: { [name in keyof Filters]?: string | null }) => void

const outcomes = { succeeded: 'Succeeded', failed: 'Failed', open: 'Under way' }
const statuses = 'PENDING PROCESSING REQUIRES_CUSTOMER_ACTION SUCCESS SUCCEEDED FAILED CANCELLED EXPIRED'.split(' ')

function usePaymentFilters() {
  const [filters, setFilters] = useFilters(...names)
  const { from, to, ...others } = filters
  const query = givenOf({ ...others, since: instantIn(from, '00:00:00'), until: instantIn(to, '23:59:59.999999') })
  return { filters, query, setFilters }
}

/** The filter of a day in the world's zone; nothing where the address has something else. */
function instantIn(day: string, time: string): string {
  const atUs = parseInZone(`${day}T${time}`, pageZone())
  return atUs === undefined ? '' : isoInstant(atUs)
}

function PaymentFilters({ filters, change }: { filters: Filters; change: Change }) {
  const kinds = useQuery(kindsQuery)
  const organisations = useQuery(organisationsQuery)
  const given = rare.filter((name) => filters[name] !== '').length
  const [open, { toggle }] = useDisclosure(given > 0)
  const choice = { placeholder: 'Any', clearable: true, w: 170 }
  const typed = (name: keyof Filters, label: string) => (
    <Typed
      label={label}
      inputMode="decimal"
      value={filters[name]}
      change={(text) => change({ [name]: text })}
      w={120}
      data-testid={name}
    />
  )
  const day = (name: keyof Filters, label: string) => (
    <TextInput
      label={label}
      type="date"
      value={filters[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      w={150}
      data-testid={name}
    />
  )
  return (
    <>
      <Group gap="sm" align="flex-end">
        <SearchBox
          value={filters.search}
          change={(search) => change({ search })}
          placeholder="Phone, name, reference, receipt"
        />
        <Select
          {...choice}
          label="Outcome"
          data={[
            { group: 'Outcome', items: keysIn(outcomes).map((value) => ({ value, label: outcomes[value] })) },
            { group: 'Status', items: statuses },
          ]}
          value={filters.outcome || filters.status || null}
          onChange={(chosen) => {
            const isOutcome = chosen !== null && chosen in outcomes
            change({ outcome: isOutcome ? chosen : null, status: isOutcome ? null : chosen })
          }}
          data-testid="status"
        />
        <Select
          {...choice}
          label="Kind"
          data={kinds.data?.kinds.map(({ kind }) => kind) ?? []}
          value={filters.kind || null}
          onChange={(kind) => change({ kind })}
          data-testid="kind"
        />
        <Button variant="default" onClick={toggle} aria-expanded={open} data-testid="more-filters">
          {given > 0 ? `More filters (${given})` : 'More filters'}
        </Button>
      </Group>
      <Collapse expanded={open}>
        <Group gap="sm" align="flex-end">
          {day('from', 'From')}
          {day('to', 'To')}
          {typed('minAmount', 'Amount from')}
          {typed('maxAmount', 'Amount to')}
          <Select
            {...choice}
            label="Organisation"
            data={organisations.data?.organisations.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
            value={filters.organisationId || null}
            onChange={(organisationId) => change({ organisationId })}
            w={220}
            data-testid="organisationId"
          />
        </Group>
      </Collapse>
    </>
  )
}
