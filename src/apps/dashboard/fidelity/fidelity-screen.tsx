/** The page of facts and assumptions. */
import { Card, SimpleGrid, Table, Tabs, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFilters } from '../api/address.ts'
import { world } from '../api/client.ts'
import { useFirst } from '../parts/first.tsx'
import { Empty } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { Wide } from '../parts/wide.tsx'
import { AssumptionSwitch } from './assumption-switch.tsx'
import { BasisBadge } from './basis-badge.tsx'
import { ConstraintTable } from './constraint-table.tsx'
import { FactTable } from './fact-table.tsx'

const FIRST = 'assumptions'

type Fidelity = ControlAnswer<'GET', '/fidelity'>

export default function FidelityPage() {
  const fidelity = useQuery({ queryKey: ['fidelity'], queryFn: () => world('GET', '/fidelity') })
  const [{ part }, setFilters] = useFilters('part')
  return (
    <Screen
      title="Fidelity"
      about="What is known how. Nothing is guessed in silence: what no source shows is an assumption, with alternatives."
    >
      <QueryAnswer of={fidelity}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
              {Object.entries(data.bases).map(([basis, meaning]) => (
                <Card withBorder key={basis}>
                  <BasisBadge basis={basis} />
                  <Text size="sm" mt={6}>
                    {meaning}
                  </Text>
                </Card>
              ))}
            </SimpleGrid>
            <Text size="sm">The service is simulated as of {data.service.month}.</Text>
            <Tabs value={part || FIRST} onChange={(value) => setFilters({ part: value === FIRST ? null : value })}>
              <Tabs.List>
                <Tabs.Tab value="assumptions">Assumptions ({data.assumptions.length})</Tabs.Tab>
                <Tabs.Tab value="constraints">Constraints ({data.constraints.length})</Tabs.Tab>
                <Tabs.Tab value="facts">Refusals, headers, defaults ({data.facts.length})</Tabs.Tab>
                <Tabs.Tab value="operations">Operations ({data.operations.length})</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="assumptions" pt="md">
                <Assumptions assumptions={data.assumptions} />
              </Tabs.Panel>
              <Tabs.Panel value="constraints" pt="md">
                <ConstraintTable constraints={data.constraints} />
              </Tabs.Panel>
              <Tabs.Panel value="facts" pt="md">
                <FactTable facts={data.facts} />
              </Tabs.Panel>
              <Tabs.Panel value="operations" pt="md">
                <Operations operations={data.operations} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </QueryAnswer>
    </Screen>
  )
}

function Assumptions({ assumptions }: { assumptions: Fidelity['assumptions'] }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const choose = useMutation({
    mutationFn: (choice: { id: string; value: string }) =>
      world('PUT', '/assumptions/:id', { path: { id: choice.id }, body: { value: choice.value } }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const found = assumptions.filter(({ id, question, note }) =>
    `${id} ${question} ${note}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const { shown, more } = useFirst(found, text === '' ? 20 : found.length)
  return (
    <>
      <TextInput
        label="Find"
        placeholder="such as callback"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={320}
        mb="md"
      />
      {found.length === 0 && <Empty title="No assumption is about that" />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {shown.map((assumption) => (
          <AssumptionSwitch
            key={assumption.id}
            assumption={assumption}
            choose={(value) => choose.mutate({ id: assumption.id, value })}
            error={choose.variables?.id === assumption.id ? choose.error : null}
          />
        ))}
      </SimpleGrid>
      {more}
    </>
  )
}

function Operations({ operations }: { operations: Fidelity['operations'] }) {
  return (
    <Wide label="Operations" minWidth={720}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['Operation', 'Path', 'Known', 'Source', ''].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operations.map((operation) => (
            <Table.Tr key={operation.operation}>
              <Table.Td>{operation.operation}</Table.Td>
              <Table.Td className="mono">
                {operation.method} {operation.path}
              </Table.Td>
              <Table.Td>
                <BasisBadge basis={operation.basis} />
              </Table.Td>
              <Table.Td>{operation.source}</Table.Td>
              <Table.Td>{operation.on ? '' : 'off'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
