/** The page of worlds and snapshots. */
import {
  Anchor,
  Badge,
  Button,
  Card,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { server, serverUrl, world, worldId } from '../api/client.ts'
import { Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { Answer } from '../parts/query-answer.tsx'
import { Page, Section } from '../parts/screen.tsx'
import { Wide } from '../parts/wide.tsx'

/** All worlds of the server, and this one's snapshots. */
export default function Worlds() {
  return (
    <Page title="Worlds" about="Isolated sandboxes: each has its own organisations, clock, scenario and payments.">
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <NewWorld />
        <Snapshots />
      </SimpleGrid>
      <Section title="All worlds">
        <List />
      </Section>
    </Page>
  )
}

function useWorlds() {
  return useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds'), staleTime: 0 })
}

function useSnapshots() {
  return useQuery({ queryKey: ['snapshots'], queryFn: () => world('GET', '/snapshots'), staleTime: 0 })
}

function List() {
  const queries = useQueryClient()
  const worlds = useWorlds()
  const again = () => queries.invalidateQueries()
  const remove = useMutation({
    mutationFn: (id: string) => server('DELETE', '/worlds/:id', { path: { id } }),
    onSuccess: again,
  })
  const fork = useMutation({
    mutationFn: (from: string) => server('POST', '/worlds', { body: { from } }),
    onSuccess: again,
  })
  const reset = useMutation({ mutationFn: () => world('POST', '/reset'), onSuccess: again })
  const error = remove.error ?? fork.error ?? reset.error
  return (
    <Answer of={worlds}>
      {({ worlds: all }) => (
        <>
          {error && <ErrorNote error={error} />}
          <Wide label="All worlds" minWidth={680}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {['World', 'Scenario', 'Seed', 'World time', ''].map((title) => (
                    <Table.Th key={title}>{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((one) => (
                  <Table.Tr key={one.id} data-testid={`world-${one.id}`}>
                    <Table.Td>
                      {one.id === worldId ? (
                        <Group gap="xs">
                          {one.id} <Badge variant="light">this one</Badge>
                        </Group>
                      ) : (
                        <Anchor href={`${serverUrl}${one.id === 'default' ? '' : `/w/${one.id}`}/_mfano/`}>
                          {one.id}
                        </Anchor>
                      )}
                    </Table.Td>
                    {!one.clock ? (
                      <Table.Td colSpan={3} c="red">
                        {one.problem}
                      </Table.Td>
                    ) : (
                      <>
                        <Table.Td>{one.scenario}</Table.Td>
                        <Table.Td>{one.seed}</Table.Td>
                        <Table.Td>
                          <Instant at={one.clock.now} />{' '}
                          <Text span c="dimmed" size="sm">
                            {one.clock.mode}
                          </Text>
                        </Table.Td>
                      </>
                    )}
                    <Table.Td>
                      <Group gap={6} justify="flex-end" wrap="nowrap">
                        <Button size="compact-xs" variant="default" onClick={() => fork.mutate(one.id)}>
                          Fork
                        </Button>
                        {one.id === worldId && (
                          <Sure words="Reset" question="Empty this world?" act={() => reset.mutate()} />
                        )}
                        {one.id !== 'default' && one.id !== worldId && (
                          <Sure words="Remove" question={`Remove ${one.id}?`} act={() => remove.mutate(one.id)} />
                        )}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Wide>
        </>
      )}
    </Answer>
  )
}

/** A button that asks once before it does what cannot be undone. */
function Sure({ words, question, act }: { words: string; question: string; act(): void }) {
  const [asked, ask] = useState(false)
  if (!asked)
    return (
      <Button size="compact-xs" variant="light" color="red" onClick={() => ask(true)}>
        {words}
      </Button>
    )
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-xs"
        color="red"
        autoFocus
        onClick={() => {
          ask(false)
          act()
        }}
      >
        {question} Yes
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => ask(false)}>
        No
      </Button>
    </Group>
  )
}

function NewWorld() {
  const queries = useQueryClient()
  const [id, setId] = useState('')
  const [scenario, setScenario] = useState('')
  const [seed, setSeed] = useState<number | string>('')
  const [mode, setMode] = useState<string | null>('frozen')
  const make = useMutation({
    mutationFn: () =>
      server('POST', '/worlds', {
        body: {
          ...(id.trim() && { id: id.trim() }),
          ...(scenario.trim() && { scenario: scenario.trim() }),
          ...(seed !== '' && { seed: Number(seed) }),
          clock: { mode: mode as 'frozen' },
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['worlds'] }),
  })
  return (
    <Card withBorder component="section" aria-label="Make a world">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Text fw={600} mb="xs">
          Make a world
        </Text>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name"
            placeholder="any"
            size="xs"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            data-testid="new-world"
          />
          <TextInput
            label="Scenario"
            placeholder="the usual"
            size="xs"
            value={scenario}
            onChange={(event) => setScenario(event.currentTarget.value)}
          />
          <NumberInput
            label="Seed"
            placeholder="the scenario's"
            size="xs"
            w={110}
            min={0}
            value={seed}
            onChange={setSeed}
          />
          <Select
            label="Clock"
            size="xs"
            w={110}
            data={['frozen', 'realtime']}
            value={mode}
            onChange={setMode}
            allowDeselect={false}
          />
          <Button size="xs" type="submit" loading={make.isPending} data-testid="make-world">
            Make
          </Button>
        </Group>
        {make.error && <ErrorNote error={make.error} />}
        {make.data && (
          <Text size="sm" mt="xs" role="status">
            <Anchor href={`${make.data.baseUrl}/_mfano/`}>{make.data.id}</Anchor> is ready at {make.data.baseUrl}
          </Text>
        )}
      </form>
    </Card>
  )
}

function Snapshots() {
  const queries = useQueryClient()
  const snapshots = useSnapshots()
  const [name, setName] = useState('')
  const again = () => queries.invalidateQueries()
  const save = useMutation({
    mutationFn: () => world('POST', '/snapshots', { body: name.trim() ? { name: name.trim() } : {} }),
    onSuccess: again,
  })
  const restore = useMutation({
    mutationFn: (which: string) => world('POST', '/snapshots/:name/restore', { path: { name: which } }),
    onSuccess: again,
  })
  const error = save.error ?? restore.error
  return (
    <Card withBorder component="section" aria-label="Snapshots">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Text fw={600} mb="xs">
          Snapshots
        </Text>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name"
            placeholder="any"
            size="xs"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-testid="snapshot-name"
          />
          <Button size="xs" type="submit" loading={save.isPending} data-testid="snapshot">
            Save this world
          </Button>
        </Group>
      </form>
      {error && <ErrorNote error={error} />}
      <Answer of={snapshots}>
        {({ snapshots: all }) =>
          all.length === 0 ? (
            <Empty title="No snapshot yet">Save the world as it is now, try something, and come back.</Empty>
          ) : (
            <Table mt="sm">
              <Table.Tbody>
                {all.map((snapshot) => (
                  <Table.Tr key={snapshot.name}>
                    <Table.Td>{snapshot.name}</Table.Td>
                    <Table.Td>
                      <Sure
                        words="Restore"
                        question={`Go back to ${snapshot.name}?`}
                        act={() => restore.mutate(snapshot.name)}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Answer>
    </Card>
  )
}
