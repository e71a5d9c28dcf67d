/** The page of reports: starts and ends runs, and shows and exports what they tested. */
import {
  Anchor,
  Button,
  Card,
  FileButton,
  Group,
  Menu,
  Select,
  Stack,
  Textarea,
  TextInput,
  useComputedColorScheme,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { keysIn } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { Dim, ErrorNote, WaitingNote } from '../parts/notes.tsx'
import { QueryAnswer, Screen } from '../parts/screen.tsx'
import { ExportCsv } from './export-csv.tsx'

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
      actions={<ExportCsv of="run.list" words="Export runs" />}
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

// The form that compares books with the ledger; the report shows what was found.

const HEADER = 'reference,requestId,kind,amount,currency,status'

function CompareBooks({ compared }: { compared(): void }) {
  const [text, setText] = useState('')
  const compare = useChange(() => world('POST', '/reconcile', { body: { books: booksIn(text) } }), compared)
  return (
    <form onSubmit={submitting(() => compare.mutate())}>
      <Stack gap="xs">
        <Textarea
          label="Books"
          description={`One payment on each line: CSV with the header ${HEADER}, or a JSON array of objects with these names`}
          autosize
          minRows={4}
          maxRows={16}
          className="mono-input"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-testid="books"
        />
        <Group gap="xs">
          <Button
            type="submit"
            size="xs"
            loading={compare.isPending}
            disabled={text.trim() === ''}
            data-testid="compare"
          >
            Compare with the ledger
          </Button>
          <FileButton accept=".csv,.json" onChange={(file) => void file?.text().then(setText)}>
            {(props) => (
              <Button {...props} variant="default" size="xs">
                Upload a file
              </Button>
            )}
          </FileButton>
        </Group>
        {compare.error && <ErrorNote error={compare.error} />}
      </Stack>
    </form>
  )
}

/** Text that is no JSON goes to the server as it is, because the server explains what is wrong. */
function booksIn(text: string): string | unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return text
  }
}

// The page of coverage.

export function CoverageScreen() {
  return (
    <Screen
      title="Coverage"
      about="How much of the service this world exercised, and the commands that exercise the rest."
    >
      <ReportFrame address={`${worldUrl}/_mfano/coverage?format=html`} />
    </Screen>
  )
}

// A report as mfano prints it, in the page's colours.

function ReportFrame({ address, frame }: { address: string; frame?: RefObject<HTMLIFrameElement | null> }) {
  const theme = useComputedColorScheme('light')
  const own = useRef<HTMLIFrameElement>(null)
  const ref = frame ?? own
  const [height, setHeight] = useState(0)
  const [loaded, setLoaded] = useState(0)
  useEffect(() => {
    const printed = loaded > 0 ? ref.current?.contentDocument : undefined
    if (!printed) return
    // Its links are of the dashboard.
    printed.head.appendChild(printed.createElement('base')).target = '_top'
    printed.documentElement.dataset['theme'] = theme
    setHeight(printed.documentElement.scrollHeight)
  }, [ref, loaded, theme])
  return (
    <Card withBorder p={0}>
      {loaded === 0 && <WaitingNote />}
      <iframe
        ref={ref}
        title="Report"
        src={address}
        height={height}
        width="100%"
        style={{ border: 0, display: 'block' }}
        onLoad={() => setLoaded((times) => times + 1)}
        data-testid="report"
      />
    </Card>
  )
}
