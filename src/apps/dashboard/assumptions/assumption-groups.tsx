/** All assumptions by what they are about, with a filter. */
import { Accordion, Group, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { useFilters } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { Empty } from '../parts/notes.tsx'
import { AssumptionCard, type ListedAssumption } from './assumption-card.tsx'

const isChanged = ({ inForce, default: usual }: ListedAssumption) => inForce !== usual
const shows: Record<string, { of(assumption: ListedAssumption): boolean; words: string }> = {
  all: { of: () => true, words: '' },
  changed: { of: isChanged, words: 'The scenario, or its seed, chose another answer than the default.' },
  measured: { of: ({ measured }) => measured !== null, words: 'The real sandbox gave this answer to mfano calibrate.' },
  open: { of: ({ measured }) => measured === null, words: 'Nobody has measured the answer yet.' },
}

export function AssumptionGroups({ assumptions }: { assumptions: readonly ListedAssumption[] }) {
  const [{ show }, setFilters] = useFilters('show')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<string[]>([])
  const choose = useChange(({ id, value }: { id: string; value: string }) =>
    world('PUT', '/assumptions/:id', { path: { id }, body: { value } }),
  )
  const wanted = text.trim().toLowerCase()
  const found = assumptions
    .filter((one) => shows[show || 'all']?.of(one))
    .filter(({ id, question, note }) => `${id} ${question} ${note}`.toLowerCase().includes(wanted))
  const groups = Map.groupBy(found, ({ area }) => area.split(',', 1).join())
  // What somebody has searched for or filtered is few, and shown at once.
  const isNarrowed = wanted !== '' || (show !== '' && show !== 'open')
  const open = isNarrowed ? [...groups.keys()] : opened
  return (
    <>
      <Group gap="sm" align="flex-end" mb="md">
        <TextInput
          label="Find"
          placeholder="such as callback"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', sm: 320 }}
        />
        <SegmentedControl
          aria-label="Show"
          value={show || 'all'}
          onChange={(chosen) => setFilters({ show: chosen === 'all' ? null : chosen })}
          data={Object.entries(shows).map(([value, { of }]) => ({
            value,
            label: `${value} ${assumptions.filter(of).length || ''}`,
          }))}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
      </Group>
      {show && <Dim mb="md">{shows[show]?.words}</Dim>}
      {found.length === 0 && (
        <Empty title="No assumption matches">Search for fewer letters, or show all assumptions.</Empty>
      )}
      <Accordion multiple variant="contained" value={open} onChange={setOpened} order={2}>
        {[...groups].map(([group, those]) => (
          <Accordion.Item key={group} value={group}>
            <Accordion.Control>
              <Group justify="space-between" pe="sm" gap={4}>
                {group}
                <Dim>{[counted(those.length, 'question'), ...changesIn(those)].join(', ')}</Dim>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {open.includes(group) && (
                <SimpleGrid cols={{ base: 1, lg: 2 }}>
                  {those.map((assumption) => (
                    <AssumptionCard
                      key={assumption.id}
                      assumption={assumption}
                      choose={(value) => choose.mutate({ id: assumption.id, value })}
                      error={choose.variables?.id === assumption.id ? choose.error : null}
                    />
                  ))}
                </SimpleGrid>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  )
}

function changesIn(those: readonly ListedAssumption[]): string[] {
  const changed = those.filter(isChanged).length
  return changed === 0 ? [] : [`${changed} changed`]
}
