/** Shows which rules fired. */
import { Accordion, Badge, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFilters } from '../api/address.ts'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { useFirst } from '../parts/first.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
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
            {own.length === 0 ? (
              <Text c="dimmed" size="sm">
                No rule has decided anything yet.
              </Text>
            ) : (
              <Decided rules={own} asked={asked} />
            )}
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
      <div className="table-frame">
        <Table>
          <Table.Tbody>
            {shown.map(({ name, on, hits: count, when }) => (
              <Table.Tr key={name}>
                <Table.Td fw={name === asked ? 650 : undefined} data-asked={name === asked}>
                  {name}
                  {when && (
                    <Text size="xs" c="dimmed" className="mono break">
                      {when}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td c="dimmed">{on.join(', ')}</Table.Td>
                <Table.Td ta="right">{count.toLocaleString('en-GB')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {more}
    </div>
  )
}

function NeverFired({ rules }: { rules: ControlAnswer<'GET', '/scenario/hits'>['neverFired'] }) {
  const { shown, more } = useFirst(rules, FEW)
  return (
    <div>
      <Accordion variant="contained">
        {shown.map(({ rule, why, nearest }) => (
          <Accordion.Item key={rule} value={rule}>
            <Accordion.Control>
              <Group gap="xs">
                <Badge component="span" color="orange" variant="light">
                  not triggered
                </Badge>
                {rule}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Text size="sm">{why}</Text>
              {nearest && <Code value={nearest} label="the request that came nearest" />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {more}
    </div>
  )
}
