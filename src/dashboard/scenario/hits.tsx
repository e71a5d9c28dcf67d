/** Which rules fired, on the page of the scenario. */
import { Accordion, Badge, Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { Answer } from '../parts/query-answer.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

/** How often each rule decided; of the scenario's own that never did, the request that came nearest. */
export function Hits() {
  const hits = useQuery({ queryKey: ['hits'], queryFn: () => world('GET', '/scenario/hits') })
  return (
    <Answer of={hits}>
      {({ rules, rails, faults, neverFired }) => {
        const fired = [
          ...rules.map((rule) => ({ name: rule.rule, ...rule })),
          ...rails.map((one) => ({ name: `${one.rail} (${one.sort})`, ...one })),
          ...faults.map((fault) => ({ name: fault.fault, ...fault })),
        ]
        const own = fired.filter(({ inherited, hits: count }) => !inherited || count > 0)
        return (
          <>
            <Group justify="flex-end" mb="xs">
              <ExportCsv name="hits" list="/scenario/hits" />
            </Group>
            {neverFired.length > 0 && (
              <Accordion variant="contained" mb="sm">
                {neverFired.map(({ rule, why, nearest }) => (
                  <Accordion.Item key={rule} value={rule}>
                    <Accordion.Control>
                      <Group gap="xs">
                        <Badge color="orange" variant="light" tt="none">
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
            )}
            {own.length === 0 ? (
              <Text c="dimmed">No rule has decided anything yet.</Text>
            ) : (
              <Table>
                <Table.Tbody>
                  {own
                    .toSorted((a, b) => b.hits - a.hits)
                    .map(({ name, on, hits: count }) => (
                      <Table.Tr key={name}>
                        <Table.Td>{name}</Table.Td>
                        <Table.Td c="dimmed">{on.join(', ')}</Table.Td>
                        <Table.Td ta="right">{count}</Table.Td>
                      </Table.Tr>
                    ))}
                </Table.Tbody>
              </Table>
            )}
          </>
        )
      }}
    </Answer>
  )
}
