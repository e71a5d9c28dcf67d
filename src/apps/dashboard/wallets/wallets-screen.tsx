import { Alert, Badge, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { organisationsQuery } from '../api/queries.ts'
import { OperationForm } from '../parts/form.tsx'
import { Money, money } from '../parts/formatted.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { SmallTable } from '../parts/rows.tsx'
import { PageLink, Section } from '../parts/screen.tsx'

type Wallet = ControlAnswer<'GET', '/wallets'>['wallets'][number]
type Entry = ControlAnswer<'GET', '/ledger'>['entries'][number]

const sides = [
  ['debits', 'Debits'],
  ['credits', 'Credits'],
  ['pendingDebits', 'Pending debits'],
  ['pendingCredits', 'Pending credits'],
] as const
const amountOf = (entry: Entry) => <Money amount={entry.amount} currency={entry.debit?.split(':').at(-1) ?? null} />

const columns = columnsOf<Entry>('ledger.list', {
  createdAt: { title: 'When' },
  kind: {},
  debit: { title: 'From', cell: ({ debit }) => <span className="mono">{debit}</span> },
  credit: { title: 'To', cell: ({ credit }) => <span className="mono">{credit}</span> },
  amount: { form: 'money', cell: amountOf },
  state: {},
  id: null,
  payment: null,
  settledAt: null,
})

const walletColumns = columnsOf<Wallet>('wallet.list', {
  organisationId: {
    title: 'Organisation',
    width: 'minmax(8rem, 1fr)',
    cell: ({ organisationId }) => <OrganisationName uuid={organisationId} />,
  },
  available: { width: '10rem' },
  balance: { width: '10rem' },
})

function useOrganisations() {
  return useQuery(organisationsQuery).data?.organisations ?? []
}

function OrganisationName({ uuid }: { uuid: string }) {
  return useOrganisations().find((one) => one.uuid === uuid)?.name ?? uuid
}

export function WalletsScreen() {
  const wallets = useList('wallet.list')
  const organisations = useOrganisations().map(({ uuid, name }) => ({ value: uuid, label: name }))
  return (
    <ListScreen
      list={wallets}
      about="The money of each organisation."
      actions={<PageLink href="/ledger">Open the ledger</PageLink>}
      columns={walletColumns}
      keyOf={({ organisationId, currency }) => `${organisationId} ${currency}`}
      empty={<Empty title="No wallets hold money">Top up one above.</Empty>}
    >
      <OperationForm
        id="wallet.fund"
        ask={['amount', 'currency', 'organisationId']}
        choices={{ organisationId: organisations, currency: wallets.of.data?.pages[0]?.currencies ?? [] }}
        button="Top up"
      />
    </ListScreen>
  )
}

export function LedgerScreen() {
  const ledger = useList('ledger.list')
  const books = ledger.of.data?.pages[0]
  return (
    <ListScreen
      list={ledger}
      about="Every movement of money, and what each account holds."
      columns={columns}
      keyOf={({ id }) => id}
      open={({ payment }) => payment && `/payments/${payment}`}
      empty={
        <Empty title="No entries yet">
          Top up a <PageLink href="/wallets">wallet</PageLink>, or <PageLink href="/send">send a payment</PageLink>.
        </Empty>
      }
    >
      {books && (
        <Section
          title="Trial balance"
          aside={
            <Badge
              color={books.imbalances.length === 0 ? 'green' : 'red'}
              variant="light"
              tt="none"
              data-testid="balanced"
            >
              {books.imbalances.length === 0 ? 'The books balance' : 'The books do not balance'}
            </Badge>
          }
        >
          {books.imbalances.map((imbalance) => (
            <Alert key={JSON.stringify(imbalance)} color="red">
              {JSON.stringify(imbalance)}
            </Alert>
          ))}
          <SmallTable striped titles={['Account', ...sides.map(([, title]) => `>${title}`)]}>
            {books.trialBalance.map((row) => (
              <Table.Tr key={row.account} className="figures">
                <Table.Td className="mono">{row.account}</Table.Td>
                {sides.map(([side, title]) => (
                  <Table.Td key={side} ta="right" data-title={title} c={row[side] === 0 ? 'dimmed' : undefined}>
                    {money(row[side])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </SmallTable>
        </Section>
      )}
    </ListScreen>
  )
}
