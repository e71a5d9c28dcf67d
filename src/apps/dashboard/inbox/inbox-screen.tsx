/** The page of built-in inboxes. */
import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFilters } from '../api/address.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { Id } from '../parts/formatted.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { Messages } from './message-list.tsx'

export function InboxScreen() {
  const inboxes = useQuery({ queryKey: ['inbox'], queryFn: () => world('GET', '/inbox') })
  const [filters, setFilters] = useFilters('name', 'search')
  return (
    <Screen title="Inbox" about="A receiver for callbacks, for apps that have none yet.">
      <QueryAnswer of={inboxes}>
        {({ inboxes: all }) => {
          const name = filters.name || all[0]?.name || 'hello'
          return (
            <>
              <Group gap="sm" align="flex-end">
                {all.length > 1 && (
                  <Select
                    label="Inbox"
                    searchable
                    allowDeselect={false}
                    data={all.map((one) => ({ value: one.name, label: `${one.name} (${one.messages})` }))}
                    value={name}
                    onChange={(chosen) => setFilters({ name: chosen })}
                    w={220}
                  />
                )}
                <Answers key={name} name={name} />
              </Group>
              <Text size="sm">
                Use this address as callbackUrl: <Id id={`${worldUrl}/_mfano/inbox/${name}`} />
              </Text>
              <Messages key={name} name={name} search={filters.search} setSearch={(search) => setFilters({ search })} />
            </>
          )
        }}
      </QueryAnswer>
    </Screen>
  )
}

function Answers({ name }: { name: string }) {
  const inbox = useQuery({
    queryKey: ['inbox', name, 'answers'],
    queryFn: () => world('GET', '/inbox/:name', { path: { name } }),
  })
  const [typed, setTyped] = useState<string>()
  const answers = typed ?? inbox.data?.personality.answers.join(',')
  // Only the answers: other settings stay.
  const set = useChange(
    () => world('PATCH', '/inbox/:name', { path: { name }, body: { answers } }),
    () => setTyped(undefined),
  )
  return (
    <form onSubmit={submitting(() => set.mutate())}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Answers"
          description="Statuses in order, such as 500,500,200. The last one repeats."
          value={answers ?? ''}
          onChange={(event) => setTyped(event.currentTarget.value)}
          w={{ base: 250, sm: 340 }}
          data-testid="answers"
        />
        <Button type="submit" variant="default" loading={set.isPending} disabled={!answers}>
          Set answers
        </Button>
      </Group>
      {set.error && <ErrorNote error={set.error} />}
    </form>
  )
}
