/** All worlds of the server. */
import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { server, urlOf, world, worldAt, worldId } from '../api/client.ts'
import { Instant } from '../parts/formatted.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Sure } from '../parts/sure.tsx'
import { NameAsked } from './name-asked.tsx'

/** A server with one unnamed process shows no names. */
const isNamed = (worlds: readonly { process: string | null }[]) => worlds.some((one) => one.process !== null)
/** Worlds in several processes: a fork is made where its original is, so its name may lead to another process. */
const areSpread = (worlds: readonly { process: string | null }[]) =>
  worlds.some((one) => one.process !== worlds[0]?.process)

export function WorldList() {
  const queries = useQueryClient()
  const worlds = useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds'), staleTime: 0 })
  const again = () => queries.invalidateQueries()
  const remove = useMutation({
    mutationFn: (id: string) => worldAt(urlOf(id))('DELETE', '/worlds/:id', { path: { id } }),
    onSuccess: again,
  })
  const fork = useMutation({
    mutationFn: ({ from, id }: { from: string; id: string }) =>
      server('POST', '/worlds', { body: { from, ...(id && { id }) } }),
    onSuccess: again,
  })
  const reset = useMutation({ mutationFn: () => world('POST', '/reset'), onSuccess: again })
  const error = remove.error ?? fork.error ?? reset.error
  return (
    <QueryAnswer of={worlds}>
      {({ worlds: all, unanswered }) => (
        <>
          {error && <ErrorNote error={error} />}
          {unanswered.map(({ address, problem }) => (
            <Text key={address} c="red" size="sm" mb="xs" role="status" className="break">
              Worlds of the process at {address} are missing: {problem}.
            </Text>
          ))}
          <div className="table-frame">
            <Table className="lines-narrow">
              <Table.Thead>
                <Table.Tr>
                  {['World', ...(isNamed(all) ? ['Process'] : []), 'Scenario', 'Seed', 'Simulated time', ''].map(
                    (title) => (
                      <Table.Th key={title}>{title}</Table.Th>
                    ),
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((one) => (
                  <Table.Tr key={`${one.process}/${one.id}`} data-testid={`world-${one.id}`}>
                    <Table.Td>
                      {one.id === worldId ? (
                        <Group gap="xs">
                          {one.id} <Badge variant="light">this one</Badge>
                        </Group>
                      ) : (
                        <Anchor href={`${urlOf(one.id)}/_mfano/`}>{one.id}</Anchor>
                      )}
                    </Table.Td>
                    {isNamed(all) && <Table.Td>{one.process}</Table.Td>}
                    {!one.clock ? (
                      <Table.Td colSpan={3} c="red">
                        {one.problem}
                      </Table.Td>
                    ) : (
                      <>
                        <Table.Td>{one.scenario}</Table.Td>
                        <Table.Td data-title="seed">{one.seed}</Table.Td>
                        <Table.Td>
                          <Instant at={one.clock.now} />{' '}
                          <Text span c="dimmed" size="sm">
                            {one.clock.mode}
                          </Text>
                        </Table.Td>
                      </>
                    )}
                    <Table.Td>
                      <Group gap={6} justify="flex-end">
                        <Button
                          component="a"
                          size="compact-xs"
                          variant="default"
                          href={`${urlOf(one.id)}/_mfano/worlds/${one.id}/file`}
                          download
                        >
                          Download
                        </Button>
                        {!areSpread(all) && (
                          <NameAsked
                            words="Fork"
                            label="Name of the fork"
                            act={(id) => fork.mutate({ from: one.id, id })}
                            loading={fork.isPending && fork.variables.from === one.id}
                          />
                        )}
                        {one.id === worldId && (
                          <Sure words="Reset" question="Empty this world, back to its beginning?" act={reset.mutate} />
                        )}
                        {one.id !== 'default' && one.id !== worldId && (
                          <Sure
                            words="Remove"
                            question={`Remove ${one.id} and all that is in it?`}
                            act={() => remove.mutate(one.id)}
                          />
                        )}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </>
      )}
    </QueryAnswer>
  )
}
