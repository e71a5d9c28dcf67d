/** The lifecycle of a kind of payment: what leads from which status to which, and which way this payment took. */
import { Table, Text } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { StateBadge } from '../parts/formatted.tsx'
import { SmallTable } from '../parts/small-table.tsx'

type Machine = ControlAnswer<'GET', '/machines'>[string]

export function Lifecycle({ machine, path }: { machine: Machine; path: readonly string[] }) {
  const ways = Object.entries(machine.states).flatMap(([from, { transitions }]) =>
    [...Map.groupBy(transitions, ({ to }) => to)].map(([to, all]) => ({ from, to, on: all.map(({ on }) => on) })),
  )
  return (
    <SmallTable>
      {ways.map(({ from, to, on }) => {
        const taken = path.some((status, i) => status === from && path[i + 1] === to)
        return (
          <Table.Tr key={`${from} ${to}`} data-taken={taken} fw={taken ? 650 : undefined}>
            <Table.Td>{from}</Table.Td>
            <Table.Td>
              <StateBadge state={to} />
            </Table.Td>
            <Table.Td className="break">
              {[...new Set(on)].join(', ').toLowerCase()}
              {taken && (
                <Text span inherit>
                  {' (taken)'}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        )
      })}
    </SmallTable>
  )
}
