/** The page of the journal. */
import { Group, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ControlAnswer } from '../../client/control.ts'
import { world } from '../api/client.ts'
import { HttpStatus, Instant } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows } from '../parts/rows.tsx'
import { Page } from '../parts/screen.tsx'

type Entry = ControlAnswer<'GET', '/requests'>['requests'][number]

const PAGE = 200

const columns: readonly RowColumn<Entry>[] = [
  { title: 'When', width: 'minmax(9.5rem, 1fr)', cell: ({ at }) => <Instant at={at} />, wide: true },
  { title: 'Request', width: 'minmax(9rem, 3fr)', cell: ({ method, path }) => `${method} ${path}` },
  { title: 'Answer', width: '5rem', cell: ({ status }) => <HttpStatus status={status} /> },
  { title: 'Operation', width: 'minmax(7rem, 1fr)', cell: ({ operation }) => operation ?? '–', wide: true },
  { title: 'Rule', width: 'minmax(8rem, 1.5fr)', cell: ({ rule }) => rule ?? '–', wide: true },
  {
    title: 'Unread fields',
    width: 'minmax(7rem, 1fr)',
    cell: ({ unreadFields }) => unreadFields.join(', ') || '–',
    wide: true,
  },
]

/** The journal: every request to the service and its answer. */
export default function Requests() {
  const [, go] = useLocation()
  const [operation, setOperation] = useState('')
  const [status, setStatus] = useState<string | null>(null)
  const [unread, setUnread] = useState(false)
  const [where, setWhere] = useState('')
  const [condition] = useDebouncedValue(where.trim(), 400)
  const [named] = useDebouncedValue(operation.trim(), 250)
  const filter = {
    ...(named && { operation: named }),
    ...(status && { status }),
    ...(unread && { unread: 'true' as const }),
    ...(condition && { where: condition }),
  }
  const requests = useInfiniteQuery({
    queryKey: ['requests', filter],
    queryFn: ({ pageParam }) =>
      world('GET', '/requests', { query: { ...filter, limit: PAGE, ...(pageParam !== null && { from: pageParam }) } }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
  return (
    <Page
      title="Requests"
      about="The journal: every request to the service and its answer, secrets masked, newest first."
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Operation"
          placeholder="such as createSendMoney"
          value={operation}
          onChange={(event) => setOperation(event.currentTarget.value)}
          w={220}
        />
        <Select
          label="Status"
          placeholder="all"
          clearable
          data={['200', '201', '400', '401', '402', '403', '404', '409', '423', '429', '500', '503']}
          value={status}
          onChange={setStatus}
          w={110}
        />
        <TextInput
          label="Where (CEL)"
          placeholder={'request.status >= 400'}
          value={where}
          onChange={(event) => setWhere(event.currentTarget.value)}
          w={{ base: '100%', sm: 320 }}
          className="mono"
          data-testid="where"
        />
        <Switch
          label="with fields that nobody read"
          checked={unread}
          onChange={(event) => setUnread(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <Rows
        label="Requests"
        columns={columns}
        of={requests}
        rowsOf={(page) => page.requests}
        keyOf={({ requestId }) => requestId}
        open={({ requestId }) => go(`/requests/${requestId}`)}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No request is like that">Take a part of the filter away.</Empty>
          ) : (
            <Empty title="No request yet">
              Point your app's base URL at this world, and what it sends stands here.
            </Empty>
          )
        }
      />
    </Page>
  )
}
