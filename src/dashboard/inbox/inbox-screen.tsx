/** The page of built-in receivers. */
import { Button, Card, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { world, worldUrl } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { Id, Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { Answer } from '../parts/query-answer.tsx'
import { Page, Section } from '../parts/screen.tsx'

/** A ready-made receiver for callbacks: what came, and how it answers. */
export default function Inbox() {
  const inboxes = useQuery({ queryKey: ['inbox'], queryFn: () => world('GET', '/inbox') })
  const [chosen, choose] = useState<string>()
  return (
    <Page title="Inbox" about="A ready-made receiver for callbacks, for those who have none yet.">
      <Answer of={inboxes}>
        {({ inboxes: all }) => {
          const names = all.map(({ name }) => name)
          const name = chosen ?? names[0] ?? 'hello'
          return (
            <>
              {names.length > 1 && (
                <SegmentedControl
                  aria-label="Inbox"
                  data={names}
                  value={name}
                  onChange={choose}
                  style={{ overflowX: 'auto' }}
                />
              )}
              <Text size="sm">
                Its address, as a callbackUrl: <Id id={`${worldUrl}/_mfano/inbox/${name}`} />
              </Text>
              <Answers name={name} />
              <Messages name={name} />
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

function Answers({ name }: { name: string }) {
  const queries = useQueryClient()
  const [answers, setAnswers] = useState('500,500,200')
  const set = useMutation({
    mutationFn: () => world('PUT', '/inbox/:name', { path: { name }, body: { answers } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate()
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label="It answers"
          description="one status after the other; the last one stays"
          value={answers}
          onChange={(event) => setAnswers(event.currentTarget.value)}
          w={260}
          data-testid="answers"
        />
        <Button type="submit" variant="default" loading={set.isPending}>
          Set
        </Button>
      </Group>
      {set.error && <ErrorNote error={set.error} />}
    </form>
  )
}

function Messages({ name }: { name: string }) {
  const queries = useQueryClient()
  const messages = useQuery({
    queryKey: ['inbox', name],
    queryFn: () => world('GET', '/inbox/:name', { path: { name } }),
  })
  const clear = useMutation({
    mutationFn: () => world('DELETE', '/inbox/:name', { path: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  })
  return (
    <Section
      title="Messages"
      aside={
        <Button size="xs" variant="default" onClick={() => clear.mutate()} loading={clear.isPending}>
          Empty it
        </Button>
      }
    >
      <Answer of={messages}>
        {(data) =>
          data.messages.length === 0 ? (
            <Empty title="Nothing has come">Use the address above as the callbackUrl of a payment.</Empty>
          ) : (
            data.messages.toReversed().map((message) => (
              <Card key={message.id} withBorder mb="sm" data-testid="message">
                <Text size="sm" c="dimmed" mb={4}>
                  <Instant at={message.at} />
                </Text>
                <Code value={message.body} label={`message ${message.id}`} />
              </Card>
            ))
          )
        }
      </Answer>
    </Section>
  )
}
