/** Messages of an inbox. */
import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { isRecord } from '../../../core/model/must.ts'
import { useChange, usePages } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { Instant, Nothing, StateBadge } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { PageLink } from '../parts/page-link.tsx'
import { type RowColumn, Rows } from '../parts/rows.tsx'
import { Section } from '../parts/screen.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

type Message = ControlAnswer<'GET', '/inbox/:name/messages'>['messages'][number]

const columns: readonly RowColumn<Message>[] = [
  { title: 'When', width: '10.25rem', cell: ({ at }) => <Instant at={at} />, sort: ({ at }) => at },
  { title: 'Status sent', width: '8.5rem', cell: ({ body }) => <Told body={body} /> },
  { title: 'Answered', width: '5.5rem', cell: ({ answered }) => answered ?? <Nothing /> },
  { title: 'Signature', width: '7rem', cell: ({ signature }) => signature ?? <Nothing /> },
  {
    title: 'Callback body',
    width: 'minmax(4rem, 1fr)',
    cell: ({ text }) => (
      <Text className="mono" lineClamp={2} inherit>
        {text}
      </Text>
    ),
  },
]

function Told({ body }: { body: unknown }) {
  const status = isRecord(body) ? body['status'] : undefined
  return typeof status === 'string' ? <StateBadge state={status} /> : <Nothing />
}

export function Messages(props: { name: string; search: string; setSearch(text: string): void }) {
  const { name, search } = props
  const [open, setOpen] = useState<Message>()
  const messages = usePages(['inbox', name, search], (page) =>
    world('GET', '/inbox/:name/messages', { path: { name }, query: { ...page, ...(search && { search }) } }),
  )
  const clear = useChange(() => world('DELETE', '/inbox/:name', { path: { name } }))
  return (
    <Section
      title="Messages"
      aside={
        <Group gap="xs">
          <ExportCsv
            name="messages"
            list="/inbox/:name/messages"
            path={{ name }}
            query={{ search: search || undefined }}
          />
          <Button size="xs" variant="default" onClick={() => clear.mutate()} loading={clear.isPending}>
            Empty inbox
          </Button>
        </Group>
      }
    >
      <Stack gap="sm">
        <SearchBox value={search} change={props.setSearch} placeholder="phone, reference, status, header" />
        {clear.error && <ErrorNote error={clear.error} />}
        <Rows
          label="Messages"
          columns={columns}
          of={messages}
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
