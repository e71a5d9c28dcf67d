import { Anchor, Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { submitting } from '../api/changes.ts'
import { worldUrl } from '../api/client.ts'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty } from '../parts/notes.tsx'
import { PageLink } from '../parts/screen.tsx'

type Phone = ControlAnswer<'GET', '/handset'>['phones'][number]

const columns = columnsOf<Phone>('handset.list', {
  phone: {
    cell: ({ phone }) => (
      <Anchor href={addressOf(phone)} target="_blank" inherit>
        {phone}
      </Anchor>
    ),
  },
})

export function HandsetScreen() {
  return (
    <ListScreen
      list={useList('handset.list')}
      title="Handset"
      about="Phones of payers. Approve or cancel prompts, and read the messages of the network."
      columns={columns}
      keyOf={({ phone }) => phone}
      empty={
        <Empty title="No phones yet">
          <PageLink href="/send">Ask a customer to pay</PageLink> by STK, or open any number above. Under the scenario{' '}
          <code>handset</code>, prompts wait for you.
        </Empty>
      }
    >
      <PickUp />
    </ListScreen>
  )
}

function PickUp() {
  const [phone, setPhone] = useState('254712345678')
  return (
    <form onSubmit={submitting(() => window.open(addressOf(phone.trim()), '_blank'))}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Phone number"
          inputMode="tel"
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Open phone
        </Button>
      </Group>
    </form>
  )
}

function addressOf(phone: string): string {
  return `${worldUrl}/_mfano/handset/${encodeURIComponent(phone)}/`
}
