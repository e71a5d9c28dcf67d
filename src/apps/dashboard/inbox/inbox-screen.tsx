import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { isRecord } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { OperationForm } from '../parts/form.tsx'
import { Id, Instant, Nothing, StateBadge } from '../parts/formatted.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Code, Empty, ErrorNote } from '../parts/notes.tsx'
import { PageLink, QueryAnswer } from '../parts/screen.tsx'

type Inboxes = ControlAnswer<'GET', '/inbox'>['inboxes']
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

export function InboxScreen() {
  const inboxes = useQuery({ queryKey: ['inbox'], queryFn: () => world('GET', '/inbox') })
  const [filters] = useFilters('name')
  return (
    <QueryAnswer of={inboxes}>
      {({ inboxes: all }) => {
        const name = filters.name || all[0]?.name || 'hello'
        return <Messages key={name} name={name} all={all} />
      }}
    </QueryAnswer>
  )
}

function Messages({ name, all }: { name: string; all: Inboxes }) {
  const path = { name }
  const [, setFilters] = useFilters('name')
  const inbox = useQuery({
    queryKey: ['inbox', name, 'answers'],
    queryFn: () => world('GET', '/inbox/:name', { path }),
  })
  const clear = useChange(() => world('DELETE', '/inbox/:name', { path }))
  return (
    <ListScreen
      list={useList('inbox.messages', path)}
      title="Inbox"
      about="A receiver for callbacks, for apps that have none yet."
      search="phone, reference, status, header"
      actions={
        <Button size="xs" variant="default" onClick={() => clear.mutate()} loading={clear.isPending}>
          Empty inbox
        </Button>
      }
      columns={columns}
      keyOf={({ id }) => id}
      beside={(message) => ({ title: `Message ${message.id}`, body: <One message={message} /> })}
      empty={
        <Empty title="No messages yet">
          Use the address above as callbackUrl when you <PageLink href="/send">send a payment</PageLink>.
        </Empty>
      }
    >
      {clear.error && <ErrorNote error={clear.error} />}
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
      {/* Only the answers: the delay stays. */}
      <OperationForm
        id="inbox.change"
        ask={['answers']}
        given={path}
        begin={{ answers: inbox.data?.behaviour.answers.join(',') ?? '' }}
        button="Set answers"
      />
      <Text size="sm">
        Use this address as callbackUrl: <Id id={`${worldUrl}/_mfano/inbox/${name}`} />
      </Text>
    </ListScreen>
  )
}

function One({ message: { id, at, answered, signature, body, headers } }: { message: Message }) {
  return (
    <Stack gap="sm" data-testid="message">
      <Group gap="xs">
        <Instant at={at} />
        <Text size="sm">answered {answered ?? '–'}</Text>
        <Text size="sm">signature {signature ?? '–'}</Text>
      </Group>
      <Code value={body} label={`message ${id}`} />
      <Code value={headers} label={`the headers of message ${id}`} />
    </Stack>
  )
}
