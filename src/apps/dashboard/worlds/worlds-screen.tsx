/** The page of worlds and snapshots. */

import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Card,
  FileInput,
  Group,
  Menu,
  Modal,
  NumberInput,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { must } from '../../../core/model/must.ts'
import { parseInstant, shortDuration } from '../../../core/model/time.ts'
import { useFilters } from '../api/address.ts'
import { submitting, useChange } from '../api/changes.ts'
import { server, urlOf, world, worldAt, worldId, worldUrl } from '../api/client.ts'
import { PausedNote } from '../callbacks/callback-screen.tsx'
import { Instant } from '../parts/formatted.tsx'
import { Dim, Empty, ErrorNote, NoMatch } from '../parts/notes.tsx'
import { SmallTable } from '../parts/rows.tsx'
import { QueryAnswer, Screen, SearchBox, Section } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

export function WorldsScreen() {
  return (
    <Screen
      title="Worlds"
      about="Isolated sandboxes: each has its own organisations, clock, scenario and payments."
      actions={<ExportCsv of="snapshot.list" words="Export snapshots" />}
    >
      <NewWorld />
      <Section title="All worlds" aside={<ExportCsv of="world.list" from={server} />}>
        <WorldList />
      </Section>
      <SnapshotList />
    </Screen>
  )
}

// Creates a world, from a scenario or a file.

type Made = ControlAnswer<'POST', '/worlds'>

const modes = ['frozen', 'realtime'] as const
type Mode = (typeof modes)[number]

function NewWorld() {
  const shipped = useQuery({ queryKey: ['scenarios'], queryFn: () => world('GET', '/scenarios') })
  const [id, setId] = useState('')
  const [scenario, setScenario] = useState('')
  const [seed, setSeed] = useState<number | string>('')
  const [mode, setMode] = useState<Mode>('frozen')
  const [file, setFile] = useState<File | null>(null)
  const make = useChange((): Promise<Made> => {
    const name = id.trim()
    if (file) return server('PUT', '/worlds/:id/file', { path: { id: name }, body: file })
    const chosen = { ...(name && { id: name }), ...(scenario && { scenario }), clock: { mode } }
    return server('POST', '/worlds', { body: { ...chosen, ...(seed !== '' && { seed: Number(seed) }) } })
  })
  return (
    <Card withBorder component="section" aria-label="Create a world">
      <form onSubmit={submitting(() => make.mutate())}>
        <Text fw={600} mb="xs">
          Create a world
        </Text>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name (optional)"
            size="xs"
            w={150}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            data-testid="new-world"
          />
          <Select
            label="Scenario"
            size="xs"
            w={190}
            searchable
            allowDeselect={false}
            disabled={file !== null}
            data={[{ value: '', label: "the server's" }, ...(shipped.data?.scenarios ?? []).map(({ name }) => name)]}
            value={scenario}
            onChange={(chosen) => setScenario(chosen ?? '')}
            data-testid="new-scenario"
          />
          <NumberInput
            label="Seed (optional)"
            size="xs"
            w={120}
            min={0}
            disabled={file !== null}
            value={seed}
            onChange={setSeed}
          />
          <Select
            label="Clock"
            size="xs"
            w={110}
            disabled={file !== null}
            data={modes}
            value={mode}
            onChange={(chosen) => chosen && setMode(chosen)}
            allowDeselect={false}
          />
          <FileInput
            label="Or from a .mfano file"
            size="xs"
            w={170}
            clearable
            clearButtonProps={{ 'aria-label': 'No file' }}
            value={file}
            onChange={(chosen) => {
              setFile(chosen)
              if (chosen && id.trim() === '') setId(nameOf(chosen))
            }}
          />
          <Button size="xs" type="submit" loading={make.isPending} data-testid="make-world">
            {file ? 'Upload' : 'Create'}
          </Button>
        </Group>
        {make.error && <ErrorNote error={make.error} />}
        {make.data && (
          <Text size="sm" mt="xs" role="status" className="break">
            <Anchor href={`${make.data.baseUrl}/_mfano/`}>{make.data.id}</Anchor> is ready at {make.data.baseUrl}
          </Text>
        )}
      </form>
      {make.data?.callbacksPaused && <PausedNote key={make.data.id} control={worldAt(make.data.baseUrl)} />}
    </Card>
  )
}

function nameOf({ name }: File): string {
  return name
    .replace(/\.mfano$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

// All worlds of the server.

type World = ControlAnswer<'GET', '/worlds'>['worlds'][number]

const FEW = 5
const TITLES = ['World', 'Scenario', '>Payments', 'Simulated time', 'Age', 'Seed', '']

function WorldList() {
  const worlds = useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds'), staleTime: 0 })
  const remove = useChange((id: string) => server('DELETE', '/worlds/:id', { path: { id } }))
  const fork = useChange(({ from, id }: { from: string; id: string }) =>
    server('POST', '/worlds', { body: { from, ...(id && { id }) } }),
  )
  const forkOf = (from: string) => (id: string) => fork.mutate({ from, id })
  const reset = useChange(() => world('POST', '/reset'))
  const error = remove.error ?? fork.error ?? reset.error
  const [{ search }, setFilters] = useFilters('search')
  const isFound = ({ id, scenario = '' }: World) => `${id} ${scenario}`.toLowerCase().includes(search.toLowerCase())
  const actionsOf = ({ id }: World): RowAction[] => [
    { words: 'Download', href: `${urlOf('default')}/_mfano/worlds/${id}/file` },
    { words: 'Fork', asks: 'Name of the fork (optional)', act: forkOf(id) },
    ...(id === worldId
      ? [
          {
            words: 'Reset',
            question: 'Empty this world? It starts again from its beginning.',
            act: () => reset.mutate(),
          },
        ]
      : id === 'default'
        ? []
        : [{ words: 'Remove', question: `Remove ${id} and everything in it?`, act: () => remove.mutate(id) }]),
  ]
  return (
    <QueryAnswer of={worlds}>
      {({ worlds: all }) => (
        <>
          {error && <ErrorNote error={error} />}
          {(all.length > FEW || search !== '') && (
            <SearchBox value={search} change={(text) => setFilters({ search: text })} placeholder="name, scenario" />
          )}
          {!all.some(isFound) && <NoMatch of="worlds" />}
          <SmallTable mt="sm" titles={TITLES}>
            {all.filter(isFound).map((one) => (
              <Table.Tr key={one.id} data-testid={`world-${one.id}`}>
                <Table.Td>
                  {one.id === worldId ? (
                    <Group gap="xs">
                      {one.id} <Badge variant="light">this one</Badge>
                    </Group>
                  ) : (
                    <Anchor href={`${urlOf(one.id)}/_mfano/`}>{one.id}</Anchor>
                  )}
                </Table.Td>
                {one.clock ? (
                  <>
                    <Table.Td>{one.scenario}</Table.Td>
                    <Table.Td ta="right" data-title="payments">
                      {one.payments?.toLocaleString('en-GB')}
                    </Table.Td>
                    <Table.Td>
                      <Instant at={one.clock.now} /> <Dim span>{one.clock.mode}</Dim>
                    </Table.Td>
                    <Table.Td data-title="age">{ageOf(one)}</Table.Td>
                    <Table.Td data-title="seed">{one.seed}</Table.Td>
                  </>
                ) : (
                  <Table.Td colSpan={5} c="red">
                    {one.problem}
                  </Table.Td>
                )}
                <Table.Td ta="right">
                  <RowMenu
                    of={one.id}
                    actions={actionsOf(one)}
                    busy={fork.isPending && fork.variables.from === one.id}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </SmallTable>
        </>
      )}
    </QueryAnswer>
  )
}

/** How much simulated time has passed in it. */
function ageOf({ clock, beganAt }: World): string {
  const microsecondsOf = (at: string | undefined) => must(parseInstant(at ?? ''))
  return shortDuration(microsecondsOf(clock?.now) - microsecondsOf(beganAt))
}

// Snapshots of this world: save, restore, download, remove.

function SnapshotList() {
  const snapshots = useQuery({ queryKey: ['snapshots'], queryFn: () => world('GET', '/snapshots'), staleTime: 0 })
  const [name, setName] = useState('')
  const save = useChange(() => world('POST', '/snapshots', { body: name.trim() ? { name: name.trim() } : {} }))
  const restore = useChange((of: { name: string; world: string }) =>
    world('POST', '/snapshots/:name/restore', { path: { name: of.name }, query: { world: of.world } }),
  )
  const remove = useChange((of: { name: string; world: string }) =>
    world('DELETE', '/snapshots/:name', { path: { name: of.name }, query: { world: of.world } }),
  )
  const error = save.error ?? restore.error ?? remove.error
  return (
    <Card withBorder component="section" aria-label="Snapshots">
      <form onSubmit={submitting(() => save.mutate())}>
        <Text fw={600} mb="xs">
          Snapshots
        </Text>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name (optional)"
            size="xs"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-testid="snapshot-name"
          />
          <Button size="xs" type="submit" loading={save.isPending} data-testid="snapshot">
            Save snapshot
          </Button>
        </Group>
      </form>
      {error && <ErrorNote error={error} />}
      <QueryAnswer of={snapshots}>
        {({ snapshots: all }) =>
          all.length === 0 ? (
            <Empty title="No snapshots yet">Save one, try something, and restore the world as it was.</Empty>
          ) : (
            <SmallTable mt="sm">
              {all.map((one) => (
                <Table.Tr key={`${one.world}/${one.name}`} data-testid={`snapshot-${one.name}`}>
                  <Table.Td>{one.name}</Table.Td>
                  <Table.Td>
                    {one.problem ? (
                      <Text size="sm" c="red">
                        {one.problem}
                      </Text>
                    ) : (
                      <>
                        <Instant at={one.now} /> <Dim span>{one.scenario}</Dim>
                      </>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    <RowMenu
                      of={one.name}
                      busy={restore.isPending && restore.variables.name === one.name}
                      actions={[
                        {
                          words: 'Download',
                          href: `${worldUrl}/_mfano/snapshots/${one.name}/file?world=${one.world}`,
                        },
                        {
                          words: 'Restore',
                          question: `Go back to ${one.name}? Everything since then is lost.`,
                          act: () => restore.mutate(one),
                        },
                        { words: 'Delete', question: `Delete ${one.name}?`, act: () => remove.mutate(one) },
                      ]}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </SmallTable>
          )
        }
      </QueryAnswer>
    </Card>
  )
}

// Actions on a row: a menu, with a question before what cannot be undone.

interface RowAction {
  words: string
  /** A file to download. */
  href?: string
  question?: string
  /** The label of a name that is asked for. */
  asks?: string
  act?(name: string): void
}

function RowMenu({ of, actions, busy }: { of: string; actions: readonly RowAction[]; busy: boolean }) {
  const [asked, setAsked] = useState<RowAction>()
  const [name, setName] = useState('')
  const isLoss = asked?.question !== undefined
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={`Actions of ${of}`} loading={busy}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) =>
            action.href !== undefined ? (
              <Menu.Item key={action.words} component="a" href={action.href} download>
                {action.words}
              </Menu.Item>
            ) : (
              <Menu.Item
                key={action.words}
                color={action.question === undefined ? undefined : 'red'}
                onClick={() => setAsked(action)}
              >
                {action.words}…
              </Menu.Item>
            ),
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked && `${asked.words} ${of}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          data-testid="question"
          onSubmit={submitting(() => {
            setAsked(undefined)
            asked?.act?.(name.trim())
          })}
        >
          <Stack>
            {isLoss && <Text>{asked.question}</Text>}
            {asked?.asks && (
              <TextInput
                label={asked.asks}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                data-autofocus
                data-testid="name-asked"
              />
            )}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setAsked(undefined)}>
                Cancel
              </Button>
              <Button type="submit" color={isLoss ? 'red.9' : undefined}>
                {asked?.words}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
