/** The page of all payments. */
import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ControlAnswer } from '../../client/control.ts'
import { world } from '../api/client.ts'
import { kindsQuery } from '../api/queries.ts'
import { Instant, Money, StateBadge } from '../parts/formatted.tsx'
import { IconSearch } from '../parts/icons.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows } from '../parts/rows.tsx'
import { Page } from '../parts/screen.tsx'

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
  { title: 'When', width: 'minmax(9.5rem, 1fr)', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { title: 'Kind', width: 'minmax(6rem, 1fr)', cell: ({ kind }) => kind, wide: true },
  { title: 'Status', width: 'minmax(6.5rem, 1fr)', cell: ({ status }) => <StateBadge state={status} /> },
  {
    title: 'Amount',
    width: 'minmax(6.5rem, 1fr)',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    right: true,
  },
  { title: 'Reference', width: 'minmax(8rem, 1.5fr)', cell: ({ referenceId }) => referenceId ?? '–', wide: true },
  { title: 'Rule', width: 'minmax(10rem, 2fr)', cell: ({ rule }) => rule, wide: true },
  { title: 'Id', width: '6.5rem', cell: ({ uuid }) => <span className="mono">{uuid.slice(0, 8)}…</span>, wide: true },
]

/** All payments of the world, found by kind, status, or anything written in them. */
export default function Payments() {
  const [, go] = useLocation()
  const kinds = useQuery(kindsQuery)
  const [kind, setKind] = useState<string | null>(null)
  const [status, setStatus] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const filter = {
    ...(kind && { kind }),
    ...(status && { status }),
    ...(search && { search }),
  }
  const payments = useInfiniteQuery({
    queryKey: ['payments', filter],
    queryFn: ({ pageParam }) =>
      world('GET', '/payments', {
        query: { ...filter, limit: PAGE, ...(pageParam !== null && { before: pageParam }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
  const filtered = Object.keys(filter).length > 0

  return (
    <Page title="Payments" about="Everything that moves money through states, newest first.">
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Search"
          placeholder="id, reference or phone number"
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', sm: 280 }}
          data-testid="search"
        />
        <Select
          label="Kind"
          placeholder="all"
          clearable
          data={kinds.data?.kinds.map(({ kind }) => kind) ?? []}
          value={kind}
          onChange={setKind}
          w={170}
          data-testid="kind"
        />
        <Select
          label="Status"
          placeholder="all"
          clearable
          data={statuses}
          value={status}
          onChange={setStatus}
          w={170}
          data-testid="status"
        />
      </Group>
      <Rows
        label="Payments"
        columns={columns}
        of={payments}
        rowsOf={(page) => page.payments}
        keyOf={({ uuid }) => uuid}
        open={({ uuid }) => go(`/payments/${uuid}`)}
        total={payments.data?.pages[0]?.total}
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
    </Page>
  )
}
