/** Snapshots of this world: save, restore, download, remove. */
import { Button, Card, Group, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { submitting, useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { RowMenu } from './row-menu.tsx'

export function SnapshotList() {
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
