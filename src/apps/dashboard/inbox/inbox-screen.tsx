/** The page of built-in inboxes. */
import { Button, Drawer, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { isRecord, must } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { Id, Instant, Nothing, StateBadge } from '../parts/formatted.tsx'
import { columnsOf, useList } from '../parts/list-screen.tsx'
import { Code, Empty, ErrorNote } from '../parts/notes.tsx'
import { Rows } from '../parts/rows.tsx'
import { PageLink, QueryAnswer, Screen, SearchBox, Section } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

export function InboxScreen() {
  const inboxes = useQuery({ queryKey: ['inbox'], queryFn: () => world('GET', '/inbox') })
  const [filters, setFilters] = useFilters('name')
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
              <Messages key={name} name={name} />
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
  const answers = typed ?? inbox.data?.behaviour.answers.join(',')
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

// Messages of an inbox.

type Message = ControlAnswer<'GET', '/inbox/:name/messages'>['messages'][number]

const columns = columnsOf<Message>('inbox.messages', {
  at: { title: 'When' },
  body: { form: 'state', title: 'Status sent', cell: ({ body }) => <Told body={body} /> },
  answered: { width: '5.5rem' },
  signature: { width: '7rem' },
  text: {
    title: 'Callback body',
    cell: ({ text }) => (
      <Text className="mono" lineClamp={2} inherit>
        {text}
      </Text>
    ),
  },
  id: null,
})

function Told({ body }: { body: unknown }) {
  const status = isRecord(body) ? body['status'] : undefined
  return typeof status === 'string' ? <StateBadge state={status} /> : <Nothing />
}

function Messages({ name }: { name: string }) {
  const list = useList('inbox.messages', { name })
  const search = must(list.filters['search'])
  const [open, setOpen] = useState<Message>()
  const clear = useChange(() => world('DELETE', '/inbox/:name', { path: { name } }))
  return (
    <Section
      title="Messages"
      aside={
        <Group gap="xs">
          <ExportCsv of="inbox.messages" {...list.asked} />
          <Button size="xs" variant="default" onClick={() => clear.mutate()} loading={clear.isPending}>
            Empty inbox
          </Button>
        </Group>
      }
    >
      <Stack gap="sm">
        <SearchBox
          value={search}
          change={(text) => list.change({ search: text })}
          placeholder="phone, reference, status, header"
        />
        {clear.error && <ErrorNote error={clear.error} />}
        <Rows
          label="Messages"
          columns={columns}
          of={list.of}
          rowsOf={(page) => page.messages}
          keyOf={({ id }) => id}
          open={(message) => () => setOpen(message)}
          empty={
            search ? (
              <Empty title="No messages match">Search for fewer letters.</Empty>
            ) : (
              <Empty title="No messages yet">
                Use the address above as callbackUrl when you <PageLink href="/send">send a payment</PageLink>.
              </Empty>
            )
          }
        />
      </Stack>
      <Drawer
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        position="right"
        size="lg"
        title={open && `Message ${open.id}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {open && (
          <Stack gap="sm" data-testid="message">
            <Group gap="xs">
              <Instant at={open.at} />
              <Text size="sm">answered {open.answered ?? '–'}</Text>
              <Text size="sm">signature {open.signature ?? '–'}</Text>
            </Group>
            <Code value={open.body} label={`message ${open.id}`} />
            <Code value={open.headers} label={`the headers of message ${open.id}`} />
          </Stack>
        )}
      </Drawer>
    </Section>
  )
}
