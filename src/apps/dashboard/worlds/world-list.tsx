/** All worlds of the server. */
import { Anchor, Badge, Group, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { must } from '../../../core/model/must.ts'
import { shortDuration } from '../../../core/model/short-duration.ts'
import { parseInstant } from '../../../core/model/time.ts'
import { useFilters } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { server, urlOf, world, worldId } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { Instant } from '../parts/formatted.tsx'
import { ErrorNote, NoMatch } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { type RowAction, RowMenu } from './row-menu.tsx'

type World = ControlAnswer<'GET', '/worlds'>['worlds'][number]

const FEW = 5
const TITLES = ['World', 'Scenario', '>Payments', 'Simulated time', 'Age', 'Seed', '']

export function WorldList() {
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
