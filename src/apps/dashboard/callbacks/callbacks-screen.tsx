/** The page of callbacks. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { usePages } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Instant, Money, Nothing, StateBadge, shortInstant } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { type RowColumn, Rows, TwoLines } from '../parts/rows.tsx'
import { PageLink, Screen, SearchBox } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type State = Callback['state']

const states: readonly State[] = ['pending', 'held', 'delivered', 'failed', 'dropped']

const columns: readonly RowColumn<Callback>[] = [
  {
    title: 'Created',
    width: '10.25rem',
    cell: ({ createdAt }) => <Instant at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    title: 'Payment',
    width: 'minmax(6.5rem, 1.5fr)',
    cell: ({ about, topic, uid }) => (
      <TwoLines first={about?.referenceId ?? topic} second={about?.referenceId ? topic : uid} />
    ),
  },
  {
    title: 'Amount',
    width: '8.5rem',
    cell: ({ about }) => (about ? <Money amount={about.amount} currency={about.currency} /> : <Nothing />),
    right: true,
  },
  {
    title: 'Status sent',
    width: '8.5rem',
    cell: ({ tells }) => (tells === null ? <Nothing /> : <StateBadge state={tells} />),
  },
  { title: 'State', width: '7rem', cell: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'Result',
    width: 'minmax(9rem, 2.4fr)',
    cell: (callback) => <TwoLines first={whatHappened(callback)} second={attemptsOf(callback)} />,
  },
  {
    title: 'To',
    width: 'minmax(8rem, 1.8fr)',
    cell: ({ url }) => (
      <Text lineClamp={2} title={url} inherit>
        {url}
      </Text>
    ),
  },
]

/** The diagnosis of the last attempt, where it needs one. */
function whatHappened({ lastAttempt, heldFor, fault }: Callback): string {
  if (lastAttempt?.diagnosis) return lastAttempt.diagnosis.what
  if (lastAttempt) return lastAttempt.status === null ? (lastAttempt.error ?? '') : `answered ${lastAttempt.status}`
  if (heldFor === 'resume') return 'paused: the world came from a file'
  return fault?.does ?? 'not sent yet'
}

function attemptsOf({ attempts, nextAttemptAt }: Callback): string {
  return counted(attempts, 'attempt') + (nextAttemptAt ? `, next ${shortInstant(nextAttemptAt)}` : '')
}

export function CallbacksScreen() {
  const [filters, setFilters] = useFilters('search', 'state')
  const filter = givenOf(filters)
  const callbacks = usePages(['callbacks', filter], (page) =>
    world('GET', '/callbacks', { query: { ...filter, ...page } }),
  )
  const counts = callbacks.data?.pages[0]?.counts
  return (
    <Screen
      title="Callbacks"
      about="Notifications to merchants, with each attempt and its answer."
      actions={<ExportCsv name="callbacks" list="/callbacks" query={filter} />}
    >
      <Group gap="sm" align="flex-end">
        <SearchBox
          value={filters.search}
          change={(search) => setFilters({ search })}
          placeholder="phone, reference, id, address"
        />
        <SegmentedControl
          aria-label="State"
          value={filters.state || 'all'}
          onChange={(chosen) => setFilters({ state: chosen === 'all' ? null : chosen })}
          data={['all' as const, ...states].map((one) => ({
            value: one,
            label: one === 'all' || !counts?.[one] ? one : `${one} ${counts[one].toLocaleString('en-GB')}`,
          }))}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
      </Group>
      <Listeners />
      <Rows
        label="Callbacks"
        columns={columns}
        of={callbacks}
        rowsOf={(page) => page.callbacks}
        keyOf={({ id }) => id}
        open={({ id }) => `/callbacks/${id}`}
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty title="No callbacks yet">
            A payment with a <code>callbackUrl</code> sends one when it ends. No receiver yet? Use the{' '}
            <PageLink href="/inbox">inbox</PageLink>.
          </Empty>
        }
      />
    </Screen>
  )
}

// Programs elsewhere that receive the callbacks of this world, such as `mfano listen`. Shows nothing where there are
// none.

const LOOK_MS = 5_000

function Listeners() {
  const { data } = useQuery({
    queryKey: ['callbacks', 'forwarders'],
    queryFn: () => world('GET', '/forwarders'),
    refetchInterval: LOOK_MS,
  })
  if (!data || data.forwarders.length === 0) return null
  return (
    <Stack gap={4} component="section" aria-label="Listeners">
      {data.forwarders.map(({ id, name, state, forwardTo, callbackUrl, open, answered }) => (
        <Text key={id} size="sm" className="break" data-testid="listener">
          <StateBadge state={state} /> {name} posts {callbackUrl ?? 'all callbacks'} to {forwardTo}:{' '}
          {counted(answered, 'callback')} answered, {open} open
        </Text>
      ))}
    </Stack>
  )
}
