import type { ControlAnswer } from '../../../client/control.ts'
import { errorParts } from '../../../client/service-client.ts'
import { worldUrl } from '../api/client.ts'
import { Id, Nothing } from '../parts/formatted.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { TwoLines } from '../parts/rows.tsx'
import { PageLink } from '../parts/screen.tsx'

type Entry = ControlAnswer<'GET', '/requests'>['requests'][number]

const columns = columnsOf<Entry>('requests.list', {
  at: { title: 'When' },
  status: { title: 'Answer' },
  path: {
    title: 'Request',
    cell: ({ method, path, operation }) => <TwoLines first={operation ?? path} second={`${method} ${path}`} />,
  },
  response: {
    form: 'text',
    title: 'Refused because',
    cell: ({ status, response }) => (status >= 400 ? refusalWords(response) : undefined) ?? <Nothing />,
  },
  rule: { width: 'minmax(7rem, 1.2fr)' },
  unreadFields: { width: 'minmax(6rem, 1fr)' },
  requestId: null,
  method: null,
})

export function RequestsScreen() {
  return (
    <ListScreen
      list={useList('requests.list')}
      about="Every request to the service with its answer, newest first. Secrets are masked."
      search="phone, reference, error code, id"
      first={['operation', 'status', 'where', 'refused', 'unread']}
      columns={columns}
      keyOf={({ requestId }) => requestId}
      open={({ requestId }) => `/requests/${requestId}`}
      empty={
        <Empty title="No requests yet">
          Set the base URL of your app to <Id id={worldUrl} />, or <PageLink href="/send">send a request</PageLink> from
          here.
        </Empty>
      }
    />
  )
}

function refusalWords(response: unknown): string | undefined {
  const { code, message, details } = errorParts(response)
  return [code, details || message].filter(Boolean).join(': ') || undefined
}
