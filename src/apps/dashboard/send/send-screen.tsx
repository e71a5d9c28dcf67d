import { Autocomplete, Button, Group, Select, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { isRecord, must } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { submitting } from '../api/changes.ts'
import { worldUrl } from '../api/client.ts'
import { kindsQuery, organisationsQuery, scenarioQuery } from '../api/queries.ts'
import { FieldBox } from '../parts/form.tsx'
import {
  type Field,
  type Form,
  type FormContract,
  fieldsFor,
  sendForm,
  toRequest,
  toTexts,
} from '../parts/form-fields.ts'
import { HttpStatus } from '../parts/formatted.tsx'
import { Code, Dim, ErrorNote } from '../parts/notes.tsx'
import { PageLink, QueryAnswer, Screen } from '../parts/screen.tsx'
import { merchantOf } from './send-as.ts'

type Kind = ControlAnswer<'GET', '/kinds'>['kinds'][number]

const contractQuery = {
  queryKey: ['contract'],
  queryFn: async (): Promise<FormContract> => (await fetch(`${worldUrl}/openapi.json`)).json(),
}

/** Through the service's API, so that the journal shows what a merchant's app would cause. */
export function SendScreen() {
  const kinds = useQuery(kindsQuery)
  const contract = useQuery(contractQuery)
  const organisations = useQuery(organisationsQuery)
  const [filters, setFilters] = useFilters('kind', 'organisation')
  return (
    <Screen title="Send" about="Send a payment as a merchant does.">
      <QueryAnswer of={kinds}>
        {(known) => {
          // Kinds without a request are started by customers, on the pages of wallets and phones.
          const sendable = known.kinds.filter(({ operation }) => operation !== null)
          const kind = sendable.find((one) => one.kind === filters.kind) ?? sendable[0]
          const all = organisations.data?.organisations ?? []
          const organisation = filters.organisation || all[0]?.uuid
          return (
            <>
              <Group gap="sm" align="flex-end">
                <Select
                  label="Kind"
                  allowDeselect={false}
                  data={sendable.map((one) => ({ value: one.kind, label: one.phrase.replace(/^an? /, '') }))}
                  value={kind?.kind ?? null}
                  onChange={(chosen) => setFilters({ kind: chosen })}
                  data-testid="send-kind"
                />
                <Select
                  label="Organisation"
                  allowDeselect={false}
                  data={all.map(({ uuid, name }) => ({ value: uuid, label: name }))}
                  value={organisation ?? null}
                  onChange={(chosen) => setFilters({ organisation: chosen })}
                  w={260}
                />
              </Group>
              <QueryAnswer of={contract}>
                {(document) =>
                  kind && organisation ? (
                    <Bench
                      key={kind.kind}
                      kind={kind}
                      organisation={organisation}
                      form={sendForm(document, must(kind.operation))}
                    />
                  ) : null
                }
              </QueryAnswer>
            </>
          )
        }}
      </QueryAnswer>
    </Screen>
  )
}

function Bench({ kind, organisation, form }: { kind: Kind; organisation: string; form: Form }) {
  const queries = useQueryClient()
  const operation = must(kind.operation)
  const [values, setValues] = useState(() => toTexts(isRecord(kind.example) ? kind.example : {}))
  const [outcome, setOutcome] = useState('')
  const scenario = useQuery(scenarioQuery)
  const rules = (scenario.data?.rules ?? []).filter(({ on }) => on.includes(kind.kind))
  const fields = fieldsFor(form, values)
  const change = (name: string, text: string) => setValues((before) => ({ ...before, [name]: text }))
  const send = useMutation({
    mutationFn: async () => (await merchantOf(organisation))(operation, toRequest(fields, values), outcome),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Stack gap="md" pt="md">
      {/* The browser checks nothing, because the service is to say what is wrong with a request. */}
      <form noValidate onSubmit={submitting(() => send.mutate())}>
        <Stack gap="md">
          <Autocomplete
            label="Outcome of this request"
            description="A rule of the scenario, or a trigger such as 000404. Sent as mfano-outcome."
            placeholder="As the scenario decides"
            w={{ base: '100%', sm: 440 }}
            data={[...new Set(rules.map(({ name }) => name))]}
            value={outcome}
            onChange={setOutcome}
            data-testid="outcome"
          />
          <RequestForm fields={fields} values={values} change={change} />
        </Stack>
      </form>
      <div>
        <Button loading={send.isPending} onClick={() => send.mutate()} data-testid="send">
          Send payment
        </Button>
        {send.error && <ErrorNote error={send.error} />}
        {send.data && (
          <div data-testid="send-answer">
            <Group gap="xs" my="sm">
              <HttpStatus status={send.data.status} />
              {send.data.payment && (
                <PageLink href={`/payments/${send.data.payment}`} underline="always">
                  Open payment
                </PageLink>
              )}
              {send.data.requestId && (
                <PageLink href={`/requests/${send.data.requestId}`} underline="always">
                  Open request
                </PageLink>
              )}
            </Group>
            <Code value={send.data.body ?? '(no body)'} label="the answer" />
          </div>
        )}
        <Dim mt="sm" className="mono break">
          {operation}
        </Dim>
      </div>
    </Stack>
  )
}

function RequestForm(props: {
  fields: readonly Field[]
  values: Readonly<Record<string, string>>
  change(name: string, text: string): void
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="sm">
      {props.fields.map((field) => (
        <FieldBox
          key={field.name}
          isNamed
          field={field}
          value={props.values[field.name] ?? ''}
          change={(text) => props.change(field.name, text)}
        />
      ))}
    </SimpleGrid>
  )
}
