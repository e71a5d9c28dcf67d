/** The page of wallets and accounts. */
import { Alert, Badge, Button, Card, Group, NumberInput, Select, SimpleGrid, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { organisationsQuery } from '../api/queries.ts'
import { Money, money } from '../parts/formatted.tsx'
import { columnsOf, useList } from '../parts/list-screen.tsx'
import { Dim, Empty, ErrorNote } from '../parts/notes.tsx'
import { Rows, SmallTable } from '../parts/rows.tsx'
import { PageLink, QueryAnswer, Screen, Section } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

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

export function WalletsScreen() {
  const wallets = useQuery({ queryKey: ['wallets'], queryFn: () => world('GET', '/wallets') })
  const organisations = useQuery(organisationsQuery).data?.organisations
  const names = (uuid: string) => organisations?.find((one) => one.uuid === uuid)?.name ?? uuid
  const ledger = useList('ledger.list')
  const books = ledger.of.data?.pages[0]
  return (
    <Screen
      title="Wallets and ledger"
      about="The money of each organisation, and the ledger behind it."
      actions={<ExportCsv of="wallet.list" />}
    >
      <QueryAnswer of={wallets}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            {data.wallets.map((wallet) => (
              <WalletCard
                key={`${wallet.organisationId} ${wallet.currency}`}
                wallet={wallet}
                name={names(wallet.organisationId)}
              />
            ))}
            <TopUp wallets={data.wallets} currencies={data.currencies} names={names} />
          </SimpleGrid>
        )}
      </QueryAnswer>
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
      <Section title="Entries" aside={<ExportCsv of="ledger.list" />}>
        <Rows
          label="Ledger entries"
          columns={columns}
          of={ledger.of}
          rowsOf={(page) => page.entries}
          keyOf={({ id }) => id}
          open={({ payment }) => payment && `/payments/${payment}`}
          empty={
            <Empty title="No entries yet">
              Top up a wallet above, or <PageLink href="/send">send a payment</PageLink>.
            </Empty>
          }
        />
      </Section>
    </Screen>
  )
}

function WalletCard({ wallet, name }: { wallet: Wallet; name: string }) {
  return (
    <Card withBorder data-testid={`wallet-${wallet.currency}`}>
      <Dim>{name}</Dim>
      <Text fw={650} size="lg" mb={4}>
        <Money amount={wallet.available} currency={wallet.currency} />
      </Text>
      {(
        [
          ['Total', wallet.balance],
          ['Reserved', wallet.reserved],
          ['Incoming', wallet.incoming],
        ] as const
      ).map(([what, figure]) => (
        <Group key={what} justify="space-between" gap="xs" wrap="nowrap">
          <Dim>{what}</Dim>
          <Text size="sm" c={figure === 0 ? 'dimmed' : undefined}>
            {money(figure)}
          </Text>
        </Group>
      ))}
    </Card>
  )
}

function TopUp({
  wallets,
  currencies,
  names,
}: {
  wallets: readonly Wallet[]
  currencies: readonly string[]
  names(id: string): string
}) {
  const organisations = [...new Set(wallets.map(({ organisationId }) => organisationId))]
  const [organisationId, setOrganisation] = useState(organisations[0] ?? null)
  const [currency, setCurrency] = useState(currencies[0] ?? null)
  const [amount, setAmount] = useState<number | string>(1000)
  const fund = useChange(() =>
    world('POST', '/wallets/fund', {
      body: { ...(currency && { currency }), amount: Number(amount), ...(organisationId && { organisationId }) },
    }),
  )
  return (
    <Card withBorder component="section" aria-label="Top up">
      <Dim mb={4}>Top up a wallet</Dim>
      <form onSubmit={submitting(() => fund.mutate())}>
        <Group gap="xs" align="flex-end">
          {organisations.length > 1 && (
            <Select
              label="Organisation"
              size="xs"
              data={organisations.map((value) => ({ value, label: names(value) }))}
              value={organisationId}
              onChange={setOrganisation}
              allowDeselect={false}
            />
          )}
          <Select
            label="Currency"
            size="xs"
            w={80}
            data={currencies}
            value={currency}
            onChange={setCurrency}
            allowDeselect={false}
          />
          <NumberInput
            label="Amount"
            size="xs"
            w={120}
            min={0.01}
            decimalScale={2}
            thousandSeparator=","
            value={amount}
            onChange={setAmount}
            data-testid="top-up-amount"
          />
          <Button type="submit" size="xs" loading={fund.isPending} data-testid="top-up">
            Top up
          </Button>
        </Group>
        {fund.error && <ErrorNote error={fund.error} />}
      </form>
    </Card>
  )
}
