import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PaymentSummary as Payment } from '../../../client/control.ts'
import { organisationsQuery } from '../api/queries.ts'
import { Choice, columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { TwoLines } from '../parts/rows.tsx'

const columns = columnsOf<Payment>('payment.list', {
  createdAt: { title: 'When' },
  amount: {},
  status: {},
  kind: { title: 'With', width: 'minmax(8rem, 1.2fr)', cell: (payment) => <Party of={payment} /> },
  referenceId: { width: 'minmax(6rem, .8fr)' },
  'reason.says': { cell: (payment) => <Reason of={payment} /> },
  uuid: null,
  rule: null,
})

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
  const list = useList('payment.list')
  const organisations = useQuery(organisationsQuery)
  const named = organisations.data?.organisations.map(({ uuid, name }) => ({ value: uuid, label: name }))
  return (
    <ListScreen
      list={list}
      about="All payments of this world, newest first."
      search="Phone, name, reference, receipt"
      first={['outcome', 'status', 'kind']}
      own={{ organisationId: <Choice list={list} name="organisationId" data={named} w={220} /> }}
      columns={columns}
      keyOf={({ uuid }) => uuid}
      open={({ uuid }) => `/payments/${uuid}`}
      empty={
        <Empty title="No payments yet">
          <Button component={Link} href="/send">
            Send a payment
          </Button>
        </Empty>
      }
    />
  )
}
