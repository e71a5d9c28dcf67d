/** The page of assumptions, and of everything else that is known about the service. */
import { List, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFilters } from '../api/address.ts'
import { world } from '../api/client.ts'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { AssumptionGroups } from './assumption-groups.tsx'
import { FoundTable } from './found-table.tsx'

type Fidelity = ControlAnswer<'GET', '/fidelity'>

export function AssumptionsScreen() {
  const fidelity = useQuery({ queryKey: ['fidelity'], queryFn: () => world('GET', '/fidelity') })
  const [{ part }, setFilters] = useFilters('part')
  return (
    <Screen
      title="Assumptions"
      about="Questions about the service that no source answers. Choose another answer here, or measure it with mfano calibrate."
    >
      <QueryAnswer of={fidelity}>
        {(data) => (
          <Tabs
            value={part || 'assumptions'}
            onChange={(value) => setFilters({ part: value === 'assumptions' ? null : value })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="assumptions">Assumptions ({data.assumptions.length})</Tabs.Tab>
              <Tabs.Tab value="constraints">Constraints ({data.constraints.length})</Tabs.Tab>
              <Tabs.Tab value="facts">Refusals, headers, defaults ({data.facts.length})</Tabs.Tab>
              <Tabs.Tab value="operations">Operations ({data.operations.length})</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="assumptions">
              <AssumptionGroups assumptions={data.assumptions} />
            </Tabs.Panel>
            <Tabs.Panel value="constraints">
              <FoundTable
                find="Find a constraint"
                example="maxLength, or assumed"
                titles={['Field', 'Constraint', 'Value', 'Basis', 'Assumption']}
                rows={data.constraints.map(({ field, constraint, value, basis, assumption }) => [
                  ...[field, constraint, value, basis ?? 'unknown', assumption ?? ''],
                ])}
              />
              <Bases of={data} />
            </Tabs.Panel>
            <Tabs.Panel value="facts">
              <FoundTable
                find="Find a refusal, header or default"
                example="403, or retry"
                titles={['About', 'What', 'Value', 'Meaning', 'Basis', 'Source']}
                rows={data.facts.map(({ about, name, value, meaning, basis, source, assumption, byScenario }) => [
                  ...[about, name, value ?? '', meaning ?? '', basis],
                  assumption ?? source ?? (byScenario ? 'scenario' : ''),
                ])}
              />
              <Bases of={data} />
            </Tabs.Panel>
            <Tabs.Panel value="operations">
              <FoundTable
                find="Find an operation"
                example="Session"
                titles={['Operation', 'Path', 'Basis', 'Source', '']}
                rows={data.operations.map(({ operation, method, path, basis, source, on }) => [
                  ...[operation, `${method} ${path}`, basis, source, on ? '' : 'off'],
                ])}
              />
              <Bases of={data} />
            </Tabs.Panel>
          </Tabs>
        )}
      </QueryAnswer>
    </Screen>
  )
}

function Bases({ of: { bases, service } }: { of: Fidelity }) {
  return (
    <>
      <Text size="sm" mt="lg" mb={4}>
        The service is simulated as of {service.month}. Each basis means:
      </Text>
      <List size="sm">
        {Object.entries(bases).map(([basis, meaning]) => (
          <List.Item key={basis}>
            <b>{basis}</b>: {meaning}
          </List.Item>
        ))}
      </List>
    </>
  )
}
