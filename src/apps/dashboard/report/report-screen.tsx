/** The page of reports: starts and ends runs, and shows and exports what they tested. */
import { Anchor, Button, Card, Group, Menu, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { keysIn } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { CompareBooks } from './compare-books.tsx'
import { ExportCsv } from './export-csv.tsx'
import { ReportFrame } from './report-frame.tsx'

const forms = { html: 'html', markdown: 'md', junit: 'xml', json: 'json' } as const
const words: Record<keyof typeof forms, string> = { html: 'HTML', markdown: 'Markdown', junit: 'JUnit', json: 'JSON' }
const lists = [
  ['failed', 'Payments that ended badly'],
  ['outcomes', 'Payments by kind, end and reason'],
  ['refusals', 'Refusals'],
  ['given-up', 'Callbacks that nobody took'],
  ['callbacks', 'Callbacks by address'],
  ['rules', 'Rules and how often they fired'],
  ['findings', 'Findings of the books'],
  ['assumptions', 'Assumptions'],
  ['coverage', 'Coverage'],
  ['gaps', 'Not exercised'],
] as const

const addressOf = (query: Record<string, string>) => `${worldUrl}/_mfano/report?${new URLSearchParams(query)}`

export function ReportScreen() {
  const runs = useQuery({ queryKey: ['runs'], queryFn: () => world('GET', '/runs'), staleTime: 0 })
  const [filters, setFilters] = useFilters('run')
  const [readings, setReadings] = useState(0)
  const frame = useRef<HTMLIFrameElement>(null)
  const of: Record<string, string> = filters.run ? { run: filters.run } : {}
  return (
    <Screen
      title="Report"
      about="Results of tests, reasons of failures, and whether your app's books are right."
      actions={<ExportCsv name="runs" list="/runs" words="Export runs" />}
    >
      <QueryAnswer of={runs}>
        {({ runs: all }) => (
          <>
            <Begin
              open={all.find(({ endedAt }) => endedAt === null)?.name}
              begun={(id) => setFilters({ run: String(id) })}
            />
            <Group gap="sm" align="flex-end">
              <Select
                label="Report on"
                data={[
                  { value: '', label: 'the world since its beginning' },
                  ...all.map(({ id, name, endedAt }) => ({
                    value: String(id),
                    label: `${name}${endedAt === null ? ' (goes on)' : ''}`,
                  })),
                ]}
                value={filters.run}
                allowDeselect={false}
                onChange={(run) => setFilters({ run })}
                w={280}
                data-testid="run"
              />
              <Button variant="default" onClick={() => setReadings(readings + 1)} data-testid="again">
                Refresh
              </Button>
              <Button onClick={() => frame.current?.contentWindow?.print()}>Print or save as PDF</Button>
              <Forms of={of} />
            </Group>
          </>
        )}
      </QueryAnswer>
      <CompareBooks compared={() => setReadings(readings + 1)} />
      <ReportFrame key={`${filters.run} ${readings}`} frame={frame} address={addressOf({ ...of, format: 'html' })} />
    </Screen>
  )
}

function Forms({ of }: { of: Record<string, string> }) {
  const name = `report${of['run'] ? `-${of['run']}` : ''}`
  return (
    <Group gap="sm" pb={8}>
      {keysIn(forms).map((format) => (
        <Anchor
          key={format}
          href={addressOf({ ...of, format })}
          download={`${name}.${forms[format]}`}
          data-testid={`form-${format}`}
        >
          {words[format]}
        </Anchor>
      ))}
      <Menu>
        <Menu.Target>
          <Button variant="default" size="compact-sm">
            CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {lists.map(([list, title]) => (
            <Menu.Item
              key={list}
              component="a"
              href={addressOf({ ...of, format: 'csv', list })}
              download={`${name}-${list}.csv`}
            >
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function Begin({ open, begun }: { open: string | undefined; begun(id: number): void }) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const begin = useChange(
    () => world('POST', '/runs', { body: { name, ...(note.trim() && { note }) } }),
    ({ id }) => {
      setName('')
      setNote('')
      begun(id)
    },
  )
  const end = useChange(() => world('POST', '/runs/:id/end', { path: { id: 'last' } }))
  const error = begin.error ?? end.error
  return (
    <Card withBorder component="section" aria-label="Run">
      <form onSubmit={submitting(() => begin.mutate())}>
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Name of a new run"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            w={240}
            data-testid="run-name"
          />
          <TextInput
            label="Note (optional)"
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={1000}
            w={260}
          />
          <Button type="submit" disabled={name.trim() === ''} loading={begin.isPending} data-testid="begin">
            Start run
          </Button>
          {open !== undefined && (
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()} data-testid="end">
              End "{open}"
            </Button>
          )}
        </Group>
      </form>
      <Dim mt="xs">Everything belongs to the run until it ends or the next one starts.</Dim>
      {error && <ErrorNote error={error} />}
    </Card>
  )
}
