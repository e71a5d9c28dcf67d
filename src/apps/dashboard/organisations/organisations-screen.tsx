import { Button, Stack, Text } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { OperationForm } from '../parts/form.tsx'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Code, Empty, ErrorNote } from '../parts/notes.tsx'

type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

const columns = columnsOf<Organisation>('organisation.list', { name: {} })

export function OrganisationsScreen() {
  return (
    <ListScreen
      list={useList('organisation.list')}
      about="The merchant and its sub-accounts, with the key pairs that they log in with."
      columns={columns}
      keyOf={({ uuid }) => uuid}
      beside={(organisation) => ({ title: organisation.name, body: <One organisation={organisation} /> })}
      empty={<Empty title="No organisations" />}
    />
  )
}

function One({ organisation }: { organisation: Organisation }) {
  const { uuid, collectionCallbackUrl } = organisation
  const keys = useChange(() => world('POST', '/organisations/:uuid/credentials', { path: { uuid }, body: {} }))
  return (
    <Stack gap="md">
      <OperationForm
        id="organisation.change"
        ask={['collectionCallbackUrl']}
        given={{ uuid }}
        begin={{ collectionCallbackUrl: collectionCallbackUrl ?? '' }}
        button="Save callback URL"
      />
      <Button variant="default" size="xs" loading={keys.isPending} onClick={() => keys.mutate()} data-testid="new-keys">
        Create key pair
      </Button>
      {keys.error && <ErrorNote error={keys.error} />}
      {keys.data && (
        <>
          <Text size="sm">Copy the secret now. It is shown once.</Text>
          <Code value={keys.data} label="the new key pair" />
        </>
      )}
      <Code value={organisation} label="the organisation" />
    </Stack>
  )
}
