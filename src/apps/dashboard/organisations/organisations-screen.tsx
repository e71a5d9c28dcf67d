/** The page of organisations. */
import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Id, Instant } from '../parts/formatted.tsx'
import { Code, Dim, ErrorNote, NamedValue } from '../parts/notes.tsx'
import { QueryAnswer, Screen } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'

type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

export function OrganisationsScreen() {
  const organisations = useQuery({ queryKey: ['organisations'], queryFn: () => world('GET', '/organisations') })
  return (
    <Screen
      title="Organisations"
      about="The merchant and its sub-accounts, with the key pairs that they log in with."
      actions={<ExportCsv of="organisation.list" />}
    >
      <QueryAnswer of={organisations}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            {data.organisations.map((organisation) => (
              <OrganisationCard
                key={organisation.uuid}
                organisation={organisation}
                parent={data.organisations.find(({ uuid }) => uuid === organisation.parent)?.name}
              />
            ))}
          </SimpleGrid>
        )}
      </QueryAnswer>
    </Screen>
  )
}

function OrganisationCard({ organisation, parent }: { organisation: Organisation; parent: string | undefined }) {
  const { uuid } = organisation
  const facts = [
    ['Phone', organisation.phoneNumber],
    ['Email', organisation.email],
    ['Reference', organisation.uniqueReference],
    ['Keys', organisation.apiKeys.join(', ') || 'none'],
  ]
  return (
    <Card withBorder component="article" aria-label={organisation.name}>
      <Group justify="space-between">
        <Text fw={650} size="lg">
          {organisation.name}
        </Text>
        {parent && <Badge variant="light">sub-account of {parent}</Badge>}
      </Group>
      <Dim>
        companyId <Id id={uuid} />, since <Instant at={organisation.createdAt} />
      </Dim>
      <Stack gap={2} my="sm">
        {facts.map(([name, value]) => (
          <NamedValue key={name} name={name}>
            {value}
          </NamedValue>
        ))}
      </Stack>
      <Stack gap="sm">
        <CollectionCallback organisation={organisation} />
        <NewKeys uuid={uuid} />
      </Stack>
    </Card>
  )
}

function CollectionCallback({ organisation }: { organisation: Organisation }) {
  const [url, setUrl] = useState(organisation.collectionCallbackUrl ?? '')
  const save = useChange(() =>
    world('PATCH', '/organisations/:uuid', {
      path: { uuid: organisation.uuid },
      body: { collectionCallbackUrl: url.trim() || null },
    }),
  )
  return (
    <form onSubmit={submitting(() => save.mutate())}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          size="xs"
          label="Callback URL for bank collections"
          description="Empty: no callback is sent."
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" loading={save.isPending}>
          Save
        </Button>
      </Group>
      {save.error && <ErrorNote error={save.error} />}
    </form>
  )
}

function NewKeys({ uuid }: { uuid: string }) {
  const make = useChange(() => world('POST', '/organisations/:uuid/credentials', { path: { uuid }, body: {} }))
  return (
    <div>
      <Button size="xs" variant="light" loading={make.isPending} onClick={() => make.mutate()} data-testid="new-keys">
        Create key pair
      </Button>
      {make.data && (
        <Stack gap={4} mt="xs">
          <Text size="sm">Copy the secret now. It is shown once.</Text>
          <Code value={make.data} label="the new key pair" />
        </Stack>
      )}
      {make.error && <ErrorNote error={make.error} />}
    </div>
  )
}
