import { Anchor, Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { must } from '../../../core/model/must.ts'
import { parseInstant, shortDuration } from '../../../core/model/time.ts'
import { server, urlOf, world, worldId, worldUrl } from '../api/client.ts'
import { shippedQuery } from '../api/queries.ts'
import { OperationForm } from '../parts/form.tsx'
import { Instant, Nothing } from '../parts/formatted.tsx'
import { actionsColumn, columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Dim, Empty } from '../parts/notes.tsx'
import type { RowAction } from '../parts/row-menu.tsx'

type World = ControlAnswer<'GET', '/worlds'>['worlds'][number]

const worldColumns = columnsOf<World>('world.list', {
  id: { width: '12rem', cell: ({ id }) => <WorldName id={id} /> },
  scenario: {
    cell: ({ scenario, problem }) => (
      <Text inherit c={problem && 'red'}>
        {problem ?? scenario}
      </Text>
    ),
  },
  payments: { width: '6rem' },
  'clock.now': {
    title: 'Simulated time',
    width: '15rem',
    cell: ({ clock }) => (
      <>
        <Instant at={clock?.now} /> <Dim span>{clock?.mode}</Dim>
      </>
    ),
  },
  beganAt: { form: 'text', title: 'Age', width: 'minmax(4rem, .5fr)', cell: ageOf },
  seed: {},
  actions: actionsColumn(({ id }) => id, worldActions),
  baseUrl: null,
  'clock.mode': null,
  problem: null,
})

function WorldName({ id }: { id: string }) {
  if (id !== worldId) return <Anchor href={`${urlOf(id)}/_mfano/`}>{id}</Anchor>
  return (
    <>
      {id} <Badge variant="light">this one</Badge>
    </>
  )
}

function ageOf({ clock, beganAt }: World) {
  if (!clock || !beganAt) return <Nothing />
  const microsecondsOf = (at: string) => must(parseInstant(at))
  return shortDuration(microsecondsOf(clock.now) - microsecondsOf(beganAt))
}

function worldActions({ id }: World): RowAction[] {
  const fork = (name: string) => server('POST', '/worlds', { body: { from: id, ...(name && { id: name }) } })
  return [
    { words: 'Download', href: `${urlOf('default')}/_mfano/worlds/${id}/file` },
    { words: 'Fork', asks: 'Name of the fork (optional)', act: fork },
    ...(id === worldId
      ? [
          {
            words: 'Reset',
            question: 'Empty this world? It starts again from its beginning.',
            act: () => world('POST', '/reset'),
          },
        ]
      : id === 'default'
        ? []
        : [
            {
              words: 'Remove',
              question: `Remove ${id} and everything in it?`,
              act: () => server('DELETE', '/worlds/:id', { path: { id } }),
            },
          ]),
  ]
}

export function WorldsScreen() {
  return (
    <ListScreen
      list={useList('world.list')}
      about="Isolated sandboxes: each has its own organisations, clock, scenario and payments. Here, a new one's clock stands still until it is moved."
      search="name, scenario"
      columns={worldColumns}
      keyOf={({ id }) => id}
      empty={<Empty title="No worlds" />}
    >
      <NewWorld />
    </ListScreen>
  )
}

type MadeWorld = ControlAnswer<'POST', '/worlds'>

function NewWorld() {
  const shipped = useQuery(shippedQuery)
  const [made, setMade] = useState<MadeWorld>()
  return (
    <section aria-label="Create a world">
      <OperationForm
        id="world.create"
        ask={['id', 'scenario', 'seed']}
        choices={{ scenario: (shipped.data?.scenarios ?? []).map(({ name }) => name) }}
        given={{ clock: { mode: 'frozen' } }}
        button="Create world"
        done={setMade}
      />
      {made && (
        <Text size="sm" mt="xs" role="status" className="break">
          <Anchor href={`${made.baseUrl}/_mfano/`}>{made.id}</Anchor> is ready at {made.baseUrl}
        </Text>
      )}
    </section>
  )
}

type Snapshot = ControlAnswer<'GET', '/snapshots'>['snapshots'][number]

const snapshotColumns = columnsOf<Snapshot>('snapshot.list', {
  name: { width: '12rem' },
  now: { title: 'World time' },
  scenario: {},
  note: {},
  bytes: {},
  problem: {},
  actions: actionsColumn(({ name }) => name, snapshotActions),
})

function snapshotActions({ name, world: of }: Snapshot): RowAction[] {
  const asked = { path: { name }, query: { world: of } }
  return [
    { words: 'Download', href: `${worldUrl}/_mfano/snapshots/${name}/file?world=${of}` },
    {
      words: 'Restore',
      question: `Go back to ${name}? Everything since then is lost.`,
      act: () => world('POST', '/snapshots/:name/restore', asked),
    },
    { words: 'Delete', question: `Delete ${name}?`, act: () => world('DELETE', '/snapshots/:name', asked) },
  ]
}

export function SnapshotsScreen() {
  return (
    <ListScreen
      list={useList('snapshot.list')}
      about="Saved states of this world. Save one, try something, and restore the world as it was."
      columns={snapshotColumns}
      keyOf={({ world: of, name }) => `${of}/${name}`}
      empty={<Empty title="No snapshots yet">Save one, try something, and restore the world as it was.</Empty>}
    >
      <OperationForm id="snapshot.save" ask={['name', 'note']} button="Save snapshot" />
    </ListScreen>
  )
}
