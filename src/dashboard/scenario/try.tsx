import { Button, Group, Select, Table, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type PaymentKind, paymentKinds } from '../../model/payment.ts'
import { world } from '../api/client.ts'
import { ErrorNote } from '../parts/notes.tsx'
import { Sequence } from './sequence.tsx'

const samples: Partial<Record<PaymentKind, object>> = {
  'send-money': { phoneNumber: '254712345678', amount: 1000, currencyCode: 'KSH' },
  stk: { phoneNumber: '254712345678', amount: 1000 },
  till: { businessNumber: '400200', amount: 1000 },
  paybill: { businessNumber: '400200', accountNumber: '1', amount: 1000 },
  'bank-payout': {
    bankCode: '0001',
    creditAccountNumber: '01100000000422',
    beneficiaryName: 'JANE WANJIKU MWANGI',
    amount: 1000,
  },
  checkout: { amount: 1500, currency: 'KES' },
}

/** Asks what would happen to a request: nothing is made, nothing is counted. */
export function Try() {
  const [kind, setKind] = useState<PaymentKind>('send-money')
  const [text, setText] = useState(sampleOf('send-money'))
  const ask = useMutation({
    mutationFn: async () => {
      const json = { kind, request: JSON.parse(text) }
      const [explained, previewed] = await Promise.all([
        world('POST', '/scenario/explain', { body: json }),
        world('POST', '/scenario/preview', { body: json }),
      ])
      return { explained, previewed }
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
    >
      <Group align="flex-end" gap="xs">
        <Select
          label="Kind"
          data={[...paymentKinds]}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => {
            setKind(chosen as PaymentKind)
            setText(sampleOf(chosen as PaymentKind))
          }}
        />
        <Button type="submit" loading={ask.isPending} data-testid="try">
          What would happen?
        </Button>
      </Group>
      <Textarea
        label="Request, or the part of it that matters"
        className="mono"
        autosize
        minRows={3}
        maxRows={12}
        mt="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-testid="try-request"
      />
      {ask.error && <ErrorNote error={ask.error} />}
      {ask.data && (
        <>
          <div style={{ overflowX: 'auto', marginTop: '1rem' }} role="group" aria-label="Preview" tabIndex={0}>
            <Sequence steps={ask.data.previewed.steps} />
          </div>
          <Table mt="md">
            <Table.Tbody>
              {ask.data.explained.trace.toReversed().map(({ rule, outcome, why }) => (
                <Table.Tr key={rule}>
                  <Table.Td fw={outcome === 'decided' ? 650 : undefined}>{rule}</Table.Td>
                  <Table.Td className="break">{why}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </form>
  )
}

function sampleOf(kind: PaymentKind): string {
  return JSON.stringify(samples[kind] ?? { amount: 1000 }, null, 2)
}
