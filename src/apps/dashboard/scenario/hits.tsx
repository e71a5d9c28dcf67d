/** Shows which rules fired. */
import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFilters } from '../api/address.ts'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { Dim } from '../parts/dim.tsx'
import { useFirst } from '../parts/first.tsx'
import { Folds } from '../parts/folds.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

const FEW = 15

interface ShownRule {
  name: string
  on: readonly string[]
  hits: number
  when?: string | null
}

export function RuleHits() {
  // The page of a payment leads to its rule.
  const [{ rule: asked }] = useFilters('rule')
  const hits = useQuery({ queryKey: ['hits'], queryFn: () => world('GET', '/scenario/hits') })
  return (
    <QueryAnswer of={hits}>
      {({ rules, rails, faults, neverFired }) => {
        const fired = [
          ...rules.map((rule) => ({ name: rule.rule, ...rule })),
          ...rails.map((one) => ({ name: `${one.rail} (${one.sort})`, ...one })),
          ...faults.map((fault) => ({ name: fault.fault, ...fault })),
        ]
        const own = fired
          .filter(({ inherited, hits: count }) => !inherited || count > 0)
          .toSorted((a, b) => Number(b.name === asked) - Number(a.name === asked) || b.hits - a.hits)
        return (
          <Stack gap="md">
            <Group justify="flex-end">
              <ExportCsv name="hits" list="/scenario/hits" />
            </Group>
            {own.length === 0 ? <Dim>No rule has decided anything yet.</Dim> : <Decided rules={own} asked={asked} />}
            {neverFired.length > 0 && <NeverFired rules={neverFired} />}
          </Stack>
        )
      }}
    </QueryAnswer>
  )
}

function Decided({ rules, asked }: { rules: readonly ShownRule[]; asked: string }) {
  const { shown, more } = useFirst(rules, FEW)
  return (
    <div>
      <SmallTable>
        {shown.map(({ name, on, hits: count, when }) => (
          <Table.Tr key={name}>
            <Table.Td fw={name === asked ? 650 : undefined} data-asked={name === asked}>
              {name}
              {when && (
                <Dim size="xs" className="mono break">
                  {when}
                </Dim>
              )}
            </Table.Td>
            <Table.Td c="dimmed">{on.join(', ')}</Table.Td>
            <Table.Td ta="right">{count.toLocaleString('en-GB')}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      {more}
    </div>
  )
}

function NeverFired({ rules }: { rules: ControlAnswer<'GET', '/scenario/hits'>['neverFired'] }) {
  const { shown, more } = useFirst(rules, FEW)
  return (
    <div>
      <Folds
        of={shown.map(({ rule, why, nearest }) => [
          rule,
          <>
            <Text size="sm">{why}</Text>
            {nearest && <Code value={nearest} label="the request that came nearest" />}
          </>,
          <Group key={rule} gap="xs">
            <Badge component="span" color="orange" variant="light">
              not triggered
            </Badge>
            {rule}
          </Group>,
        ])}
      />
      {more}
    </div>
  )
}
