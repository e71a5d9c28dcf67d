import { Alert, Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/text.ts'
import { useChange } from '../api/changes.ts'
import { refusalIn, world, worldUrl } from '../api/client.ts'
import { scenarioQuery, shippedQuery } from '../api/queries.ts'
import { columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Dim, Empty, ErrorNote } from '../parts/notes.tsx'
import { PageLink, QueryAnswer, Screen } from '../parts/screen.tsx'
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
  // Kept apart from the written text, which may be newer than what is drawn.
  const [given, setGiven] = useState({ text })
  const put = (other: string) => {
    setText(other)
    setGiven({ text: other })
  }
  const [linted, setLinted] = useState<Linted>()
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
      actions={
        <>
          <PageLink href="/rules?sort=-Hits">Rules that decided</PageLink>
          <Shipped choose={put} />
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
        <Stack gap="sm">
          <LoadedEditor given={given} change={setText} check={check} />
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
          <Dim data-testid="tried-on">
            Try a request {changed ? 'on this draft, which is not applied yet.' : 'on the scenario in force.'} No
            payment is made.
          </Dim>
          <Try draft={changed ? text : undefined} />
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

type Rule = ControlAnswer<'GET', '/scenario/hits'>['hits'][number]

const ruleColumns = columnsOf<Rule>('hits.list', {
  name: {},
  hits: {},
  on: {},
  when: {},
  why: { form: 'text', title: 'Never, because' },
  nth: null,
})

export function RulesScreen() {
  return (
    <ListScreen
      list={useList('hits.list')}
      title="Rules"
      about="Rules and faults of the scenario in force, and how often each decided."
      columns={ruleColumns}
      keyOf={({ what, name }) => `${what} ${name}`}
      empty={<Empty title="The scenario has no rules" />}
    />
  )
}
