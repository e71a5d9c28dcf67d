import { SegmentedControl, Text } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { shortInstant } from '../parts/formatted.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { TwoLines } from '../parts/rows.tsx'
import { PageLink } from '../parts/screen.tsx'

type Callback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type State = Callback['state']

const states: readonly State[] = ['pending', 'held', 'delivered', 'failed', 'dropped']

const columns = columnsOf<Callback>('callback.list', {
  createdAt: {},
  topic: {
    title: 'Payment',
    width: 'minmax(6.5rem, 1.5fr)',
    cell: ({ about, topic, uid }) => (
      <TwoLines first={about?.referenceId ?? topic} second={about?.referenceId ? topic : uid} />
    ),
  },
  'about.amount': { form: 'money' },
  tells: { form: 'state', title: 'Status sent' },
  state: {},
  attempts: {
    form: 'text',
    title: 'Result',
    width: 'minmax(9rem, 2.4fr)',
    cell: (callback) => <TwoLines first={whatHappened(callback)} second={attemptsOf(callback)} />,
  },
  url: {
    cell: ({ url }) => (
      <Text lineClamp={2} title={url} inherit>
        {url}
      </Text>
    ),
  },
  id: null,
  payment: null,
  nextAttemptAt: null,
})

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
  const list = useList('callback.list')
  const counts = list.of.data?.pages[0]?.counts
  const state = (
    <SegmentedControl
      aria-label="State"
      value={list.filters['state'] || 'all'}
      onChange={(chosen) => list.change({ state: chosen === 'all' ? null : chosen })}
      data={['all' as const, ...states].map((one) => ({
        value: one,
        label: one === 'all' || !counts?.[one] ? one : `${one} ${counts[one].toLocaleString('en-GB')}`,
      }))}
      style={{ maxWidth: '100%', overflowX: 'auto' }}
    />
  )
  return (
    <ListScreen
      list={list}
      about="Notifications to merchants, with each attempt and its answer."
      search="phone, reference, id, address"
      first={['state']}
      own={{ state }}
      columns={columns}
      keyOf={({ id }) => id}
      open={({ id }) => `/callbacks/${id}`}
      empty={
        <Empty title="No callbacks yet">
          A payment with a <code>callbackUrl</code> sends one when it ends. No receiver yet? Use the{' '}
          <PageLink href="/inbox">inbox</PageLink>.
        </Empty>
      }
    />
  )
}
