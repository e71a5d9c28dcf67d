/** The page of the scenario. */
import { Alert, Button, Group, Select, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { useFilters } from '../api/address.ts'
import { refusalIn, world, worldUrl } from '../api/client.ts'
import { scenarioQuery, shippedQuery } from '../api/queries.ts'
import { ErrorNote, WaitingNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import type { Schema } from './complete.ts'
import { forgetDraft, useDraft } from './draft.ts'
import type { EditorProblem } from './editor.tsx'
import { RuleHits } from './hits.tsx'
import { Try } from './try.tsx'

// The editor is the largest part of the dashboard, and only this page needs it.
const Editor = lazy(() => import('./editor.tsx'))

interface Found {
  line: number
  column: number
  message: string
  path: string
}
interface Linted {
  valid: boolean
  name?: string
  rules?: number
  problems: Found[]
  warnings?: readonly Found[]
}

export default function ScenarioPage() {
  const scenario = useQuery(scenarioQuery)
  return (
    <Screen
      title="Scenario"
      about="What this world is like. A change holds for new payments; those under way keep their plans."
    >
      <QueryAnswer of={scenario}>{({ source, name }) => <Workbench key={name} source={source} />}</QueryAnswer>
    </Screen>
  )
}

function Workbench({ source }: { source: string }) {
  const queries = useQueryClient()
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
  const use = useMutation({
    mutationFn: () => world('PUT', '/scenario', { body: text }),
    onSuccess: () => {
      forgetDraft()
      return queries.invalidateQueries()
    },
  })
  const check = async (written: string): Promise<readonly EditorProblem[]> => {
    const found = await lint(written)
    setLinted(found)
    return [
      ...found.problems.map((problem) => ({ ...problem, severity: 'error' as const })),
      ...(found.warnings ?? []).map((warning) => ({ ...warning, severity: 'warning' as const })),
    ]
  }
  return (
    <>
      <Group gap="xs" align="flex-end">
        <Shipped choose={put} />
        <Button
          onClick={() => use.mutate()}
          loading={use.isPending}
          disabled={linted?.valid === false}
          data-testid="use"
        >
          Use it from now on
        </Button>
        <Button variant="default" onClick={() => put(source)} disabled={text === source}>
          Back to the one in force
        </Button>
        <Verdict linted={linted} changed={text !== source} />
      </Group>
      {use.error && <ErrorNote error={use.error} />}
      <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
        <Stack gap="sm">
          <Suspense fallback={<WaitingNote />}>
            {schema.data && <Editor given={given} change={setText} check={check} schema={schema.data} />}
          </Suspense>
          <Problems linted={linted} />
        </Stack>
        <Tabs value={part || 'try'} onChange={(value) => setFilters({ part: value === 'try' ? null : value })}>
          <Tabs.List>
            <Tabs.Tab value="try">Try a request</Tabs.Tab>
            <Tabs.Tab value="rules">Rules, and how often each decided</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="try" pt="md">
            <Text size="sm" c="dimmed" mb="sm" data-testid="tried-on">
              {text === source ? 'On the scenario in force.' : 'On this draft, which is not in force yet.'} Nothing is
              made.
            </Text>
            <Try draft={text === source ? undefined : text} />
          </Tabs.Panel>
          <Tabs.Panel value="rules" pt="md">
            {/* A panel out of sight asks nothing, and would wait for ever. */}
            {part === 'rules' && <RuleHits />}
          </Tabs.Panel>
        </Tabs>
      </SimpleGrid>
    </>
  )
}

/** If the linter refuses the text, the refusal is the problem. */
async function lint(text: string): Promise<Linted> {
  try {
    return await world('POST', '/scenario/lint', { body: text })
  } catch (error) {
    const refusal = refusalIn(error)
    if (!refusal) throw error
    return { valid: false, problems: [{ line: 1, column: 1, message: refusal.details || refusal.reason, path: '' }] }
  }
}

function Verdict({ linted, changed }: { linted: Linted | undefined; changed: boolean }) {
  if (!linted) return null
  const words = linted.valid
    ? `${linted.name}, ${counted(linted.rules ?? 0, 'rule')} with those it extends${changed ? ', not in force yet' : ', in force'}`
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
      aria-label="Begin with a shipped scenario"
      placeholder="Begin with a shipped scenario"
      searchable
      w={300}
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
