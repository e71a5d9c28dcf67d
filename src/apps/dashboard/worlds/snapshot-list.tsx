/** Snapshots of this world: save, restore, download, remove. */
import { Button, Card, Group, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { world, worldUrl } from '../api/client.ts'
import { Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Sure } from '../parts/sure.tsx'

export function SnapshotList() {
  const queries = useQueryClient()
  const snapshots = useQuery({ queryKey: ['snapshots'], queryFn: () => world('GET', '/snapshots'), staleTime: 0 })
  const [name, setName] = useState('')
  const again = () => queries.invalidateQueries()
  const save = useMutation({
    mutationFn: () => world('POST', '/snapshots', { body: name.trim() ? { name: name.trim() } : {} }),
    onSuccess: again,
  })
  const restore = useMutation({
    mutationFn: (of: { name: string; world: string }) =>
      world('POST', '/snapshots/:name/restore', { path: { name: of.name }, query: { world: of.world } }),
    onSuccess: again,
  })
  const remove = useMutation({
    mutationFn: (of: { name: string; world: string }) =>
      world('DELETE', '/snapshots/:name', { path: { name: of.name }, query: { world: of.world } }),
    onSuccess: again,
  })
  const error = save.error ?? restore.error ?? remove.error
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
      <QueryAnswer of={snapshots}>
        {({ snapshots: all }) =>
          all.length === 0 ? (
            <Empty title="No snapshot yet">Save the world as it is now, try something, and come back.</Empty>
          ) : (
            <Table mt="sm" className="lines-narrow">
              <Table.Tbody>
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
                          <Instant at={one.now} />{' '}
                          <Text span size="sm" c="dimmed">
                            {one.scenario}
                          </Text>
                        </>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <Group gap={6} justify="flex-end">
                        <Button
                          component="a"
                          size="compact-xs"
                          variant="default"
                          href={`${worldUrl}/_mfano/snapshots/${one.name}/file?world=${one.world}`}
                          download
                        >
                          Download
                        </Button>
                        <Sure
                          words="Restore"
                          question={`Go back to ${one.name}? What happened since is lost.`}
                          act={() => restore.mutate(one)}
                        />
                        <Sure words="Delete" question={`Delete ${one.name}?`} act={() => remove.mutate(one)} />
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryAnswer>
    </Card>
  )
}
