import { Alert, Button, Group, Select, SimpleGrid, Stack, Table, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { useFilters } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { refusalIn, world, worldUrl } from '../api/client.ts'
import { scenarioQuery, shippedQuery } from '../api/queries.ts'
import { Dim, ErrorNote } from '../parts/notes.tsx'
import { SmallTable } from '../parts/rows.tsx'
import { QueryAnswer, Screen } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import type { Schema } from './complete.ts'
import type { EditorProblem } from './editor.tsx'
import { LoadedEditor } from './loaded-editor.tsx'
import { Try } from './try.tsx'

type Linted = ControlAnswer<'POST', '/scenario/lint'>
type InForce = ControlAnswer<'GET', '/scenario'>

export function ScenarioScreen() {
  const scenario = useQuery(scenarioQuery)
  return <QueryAnswer of={scenario}>{(inForce) => <Workbench key={inForce.name} inForce={inForce} />}</QueryAnswer>
}

function Workbench({ inForce }: { inForce: InForce }) {
  const { source } = inForce
  const [text, setText] = useDraft(source)
  const [{ begin, part }, setFilters] = useFilters('begin', 'part')
  const shipped = useQuery(shippedQuery)
  // Kept apart from the written text, which may be newer than what is drawn.
  const [given, setGiven] = useState({ text })
  const put = (other: string) => {
    setText(other)
    setGiven({ text: other })
  }
  // The address may name a shipped scenario to start with. It is removed once the scenario is loaded.
  const asked = shipped.data?.scenarios.find(({ name }) => name === begin)?.source
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the address names is put in
  useEffect(() => {
    if (asked === undefined) return
    put(asked)
    setFilters({ begin: null })
  }, [asked])
  const [linted, setLinted] = useState<Linted>()
  const schema = useQuery({
    queryKey: ['scenario-schema'],
    queryFn: async (): Promise<Schema> => (await fetch(`${worldUrl}/_mfano/scenario.schema.json`)).json(),
  })
  const use = useChange(() => world('PUT', '/scenario', { body: text }), forgetDraft)
  const check = async (written: string): Promise<readonly EditorProblem[]> => {
    const found = await lint(written)
    setLinted(found)
    return [
      ...found.problems.map((problem) => ({ ...problem, severity: 'error' as const })),
      ...(found.warnings ?? []).map((warning) => ({ ...warning, severity: 'warning' as const })),
    ]
  }
  const changed = text !== source
  return (
    <Screen
      title="Scenario"
      about="The rules for payments in this world. A change applies to new payments only."
      actions={<Shipped choose={put} />}
    >
      <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
        <Stack gap="sm">
          <LoadedEditor given={given} change={setText} check={check} schema={schema.data} />
          <Group gap="xs">
            <Button
              onClick={() => use.mutate()}
              loading={use.isPending}
              disabled={!changed || linted?.valid === false}
              data-testid="use"
            >
              Apply scenario
            </Button>
            {changed && (
              <Button variant="default" onClick={() => put(source)}>
                Discard changes
              </Button>
            )}
            <Verdict linted={linted} changed={changed} />
          </Group>
          {use.error && <ErrorNote error={use.error} />}
          <Problems linted={linted} />
        </Stack>
        <Stack gap="sm">
          <Tabs
            value={part || 'try'}
            onChange={(value) => setFilters({ part: value === 'try' ? null : value })}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="try">Try a request</Tabs.Tab>
              <Tabs.Tab value="rules">Rules that decided</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="try" pt="md">
              <Dim mb="sm" data-testid="tried-on">
                {changed ? 'On this draft, which is not applied yet.' : 'On the scenario in force.'} No payment is made.
              </Dim>
              <Try draft={changed ? text : undefined} />
            </Tabs.Panel>
            <Tabs.Panel value="rules" pt="md">
              <RuleHits />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      </SimpleGrid>
    </Screen>
  )
}

/** If the linter refuses the text, the refusal is the problem. */
async function lint(text: string): Promise<Linted> {
  try {
    return await world('POST', '/scenario/lint', { body: text })
  } catch (error) {
    const refusal = refusalIn(error)
    if (!refusal) throw error
    return {
      valid: false,
      problems: [{ file: '', line: 1, column: 1, message: refusal.details || refusal.reason, path: '' }],
    }
  }
}

function Verdict({ linted, changed }: { linted: Linted | undefined; changed: boolean }) {
  if (!linted) return null
  const words = linted.valid
    ? `${linted.name}, ${counted(linted.rules ?? 0, 'rule')} with those it extends${changed ? ', not applied yet' : ', in force'}`
    : counted(linted.problems.length, 'problem')
  return (
    <Text size="sm" c={linted.valid ? 'dimmed' : 'red'} role="status" data-testid="verdict" data-valid={linted.valid}>
      {words}
    </Text>
  )
}

function Problems({ linted }: { linted: Linted | undefined }) {
  const found = [
    ...(linted?.problems ?? []).map((problem) => ({ ...problem, colour: 'red' })),
    ...(linted?.warnings ?? []).map((warning) => ({ ...warning, colour: 'orange' })),
  ]
  return found.map(({ line, column, message, path, colour }) => (
    <Alert key={`${line} ${column} ${message}`} color={colour} variant="light" data-testid="problem">
      <Text size="sm" className="break" style={{ whiteSpace: 'pre-wrap' }}>
        Line {line}, column {column}
        {path && `, ${path}`}: {message}
      </Text>
    </Alert>
  ))
}

function Shipped({ choose }: { choose(text: string): void }) {
  const shipped = useQuery(shippedQuery)
  return (
    <Select
      aria-label="Start from a shipped scenario"
      placeholder="Start from a shipped scenario"
      searchable
      w={300}
      maw="100%"
      data={shipped.data?.scenarios.map(({ name }) => name) ?? []}
      value={null}
      onChange={(name) => {
        const found = shipped.data?.scenarios.find((scenario) => scenario.name === name)
        if (found) choose(found.source)
      }}
      data-testid="shipped"
    />
  )
}

type ShownRule = ControlAnswer<'GET', '/scenario/hits'>['hits'][number]

function RuleHits() {
  const [{ rule: asked }] = useFilters('rule')
  const hits = useQuery({ queryKey: ['hits'], queryFn: () => world('GET', '/scenario/hits') })
  return (
    <QueryAnswer of={hits}>
      {(answer) => {
        const own = answer.hits
          .filter(({ inherited, hits: count }) => !inherited || count > 0)
          .toSorted((a, b) => Number(b.name === asked) - Number(a.name === asked) || b.hits - a.hits)
        return (
          <Stack gap="md">
            <Group justify="flex-end">
              <ExportCsv of="hits.list" />
            </Group>
            {own.length === 0 ? <Dim>No rule has decided anything yet.</Dim> : <Decided rules={own} asked={asked} />}
          </Stack>
        )
      }}
    </QueryAnswer>
  )
}

function Decided({ rules, asked }: { rules: readonly ShownRule[]; asked: string }) {
  return (
    <SmallTable>
      {rules.map(({ what, name, on, hits: count, when, why }) => (
        <Table.Tr key={`${what} ${name}`}>
          <Table.Td fw={name === asked ? 650 : undefined} data-asked={name === asked}>
            {name}
            {when && (
              <Dim size="xs" className="mono break">
                {when}
              </Dim>
            )}
            {why && <Text size="xs">Never: {why}</Text>}
          </Table.Td>
          <Table.Td c="dimmed">{on.join(', ')}</Table.Td>
          <Table.Td ta="right">{count.toLocaleString('en-GB')}</Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  )
}

const key = `mfano-draft ${worldUrl}`

function useDraft(inForce: string): [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? inForce)
  const write = useCallback(
    (written: string) => {
      setText(written)
      if (written === inForce) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, written)
    },
    [inForce],
  )
  return [text, write]
}

function forgetDraft(): void {
  sessionStorage.removeItem(key)
}
