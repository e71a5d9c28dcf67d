/** The page of simulated phones. */
import { Anchor, Badge, Button, Card, Group, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../core/model/text.ts'
import { submitting } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { money } from '../parts/formatted.tsx'
import { Dim, Empty } from '../parts/notes.tsx'
import { PageLink, QueryAnswer, Screen } from '../parts/screen.tsx'

export function HandsetScreen() {
  const phones = useQuery({ queryKey: ['handset'], queryFn: () => world('GET', '/handset') })
  return (
    <Screen title="Handset" about="Phones of payers. Approve or cancel prompts, and read the messages of the network.">
      <PickUp />
      <QueryAnswer of={phones}>
        {(data) =>
          data.phones.length === 0 ? (
            <Empty title="No phones yet">
              <PageLink href="/send">Ask a customer to pay</PageLink> by STK, or open any number above. Under the
              scenario <code>handset</code>, prompts wait for you.
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" verticalSpacing="xs">
              {data.phones.map((phone) => (
                <Card key={phone.phone} withBorder padding="xs">
                  <Group justify="space-between" wrap="nowrap" gap="xs">
                    <Anchor href={addressOf(phone.phone)} target="_blank" fw={600}>
                      {phone.phone}
                    </Anchor>
                    {phone.prompts > 0 ? (
                      <Badge component="span" variant="light">
                        {phone.prompts} waiting
                      </Badge>
                    ) : (
                      <Dim style={{ whiteSpace: 'nowrap' }}>{counted(phone.messages, 'message')}</Dim>
                    )}
                  </Group>
                  <Dim>
                    {phone.name || 'Not registered'}, {phone.network}
                    {phone.balance !== null && `, balance ${money(phone.balance, phone.currency)}`}
                  </Dim>
                </Card>
              ))}
            </SimpleGrid>
          )
        }
      </QueryAnswer>
    </Screen>
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
