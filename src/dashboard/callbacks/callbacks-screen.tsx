/** The page of the outbox. */
import { Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ControlAnswer } from '../../client/control.ts'
import { world } from '../api/client.ts'
import { Instant, StateBadge } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows } from '../parts/rows.tsx'
import { Page } from '../parts/screen.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type State = Callback['state']

const states: readonly State[] = ['pending', 'held', 'delivered', 'failed', 'dropped']
const PAGE = 200

const columns: readonly RowColumn<Callback>[] = [
  { title: 'Written', width: 'minmax(9.5rem, 1fr)', cell: ({ createdAt }) => <Instant at={createdAt} />, wide: true },
  { title: 'About', width: 'minmax(7rem, 1fr)', cell: ({ topic }) => topic },
  { title: 'State', width: 'minmax(6rem, .8fr)', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Attempts', width: '5rem', cell: ({ attempts }) => attempts, right: true },
  {
    title: 'Next',
    width: 'minmax(9.5rem, 1fr)',
    cell: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} />,
    wide: true,
  },
  { title: 'To', width: 'minmax(10rem, 2.5fr)', cell: ({ url }) => url, wide: true },
]

/** The outbox: what merchants were told, and whether they took it. */
export default function Callbacks() {
  const [, go] = useLocation()
  const [state, setState] = useState<'all' | State>('all')
  const callbacks = useInfiniteQuery({
    queryKey: ['callbacks', state],
    queryFn: ({ pageParam }) =>
      world('GET', '/callbacks', {
        query: {
          limit: PAGE,
          ...(state !== 'all' && { state }),
          ...(pageParam !== null && { before: pageParam }),
        },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
  const counts = callbacks.data?.pages[0]?.counts
  return (
    <Page title="Callbacks" about="What merchants were told, every attempt, and what they answered.">
      <Group>
        <SegmentedControl
          aria-label="State"
          value={state}
          onChange={(chosen) => setState(chosen as State)}
          data={['all' as const, ...states].map((one) => ({
            value: one,
            label: one === 'all' || !counts?.[one] ? one : `${one} ${counts[one].toLocaleString('en-GB')}`,
          }))}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
      </Group>
      <Rows
        label="Callbacks"
        columns={columns}
        of={callbacks}
        rowsOf={(page) => page.callbacks}
        keyOf={({ id }) => id}
        open={({ id }) => go(`/callbacks/${id}`)}
        empty={
          <Empty title={state === 'all' ? 'No callback yet' : `None is ${state}`}>
            A payment with a <code>callbackUrl</code> writes one when it ends. No receiver yet? The inbox is one: use{' '}
            <code>{'{base url}'}/_mfano/inbox/hello</code>.
          </Empty>
        }
      />
    </Page>
  )
}
