import { Anchor, Button, Card, useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ControlAnswer } from '../../../client/control.ts'
import { navigate, useFilters } from '../api/address.ts'
import { world, worldUrl } from '../api/client.ts'
import { OperationForm } from '../parts/form.tsx'
import { Nothing } from '../parts/formatted.tsx'
import { actionsColumn, columnsOf, ListScreen, useList } from '../parts/list-screen.tsx'
import { Empty, WaitingNote } from '../parts/notes.tsx'
import type { RowAction } from '../parts/row-menu.tsx'
import { Screen } from '../parts/screen.tsx'

const addressOf = (query: Record<string, string>) => `${worldUrl}/_mfano/report?${new URLSearchParams(query)}`

type Run = ControlAnswer<'GET', '/runs'>['runs'][number]

const columns = columnsOf<Run>('run.list', {
  name: { width: '14rem' },
  begunAt: {},
  endedAt: {},
  payments: { width: '6.5rem' },
  requests: { width: '6.5rem' },
  note: { cell: ({ note }) => <Note text={note} /> },
  id: null,
  actions: actionsColumn(({ name }) => name, runActions),
})

function runActions({ id, name, endedAt }: Run): RowAction[] {
  const path = { id: String(id) }
  return [
    ...(endedAt === null
      ? [{ words: 'End', question: `End ${name} now?`, act: () => world('POST', '/runs/:id/end', { path }) }]
      : []),
    {
      words: 'Delete',
      question: `Delete ${name}? Its payments stay.`,
      act: () => world('DELETE', '/runs/:id', { path }),
    },
  ]
}

/** One that is an address, such as that of a judge's report, is a link. */
function Note({ text }: { text: string | null }) {
  if (!text) return <Nothing />
  if (!/^https?:\/\/\S+$/.test(text)) return text
  return (
    <Anchor href={text} target="_blank" rel="noreferrer" pos="relative" style={{ zIndex: 1 }}>
      {text}
    </Anchor>
  )
}

const reportOf = ({ id }: { id: number }) => `/report?run=${id}`

export function RunsScreen() {
  return (
    <ListScreen
      list={useList('run.list')}
      title="Test runs"
      about="Everything belongs to the run until it ends or the next one starts."
      columns={columns}
      keyOf={({ id }) => id}
      open={reportOf}
      empty={<Empty title="No test runs yet">Start one above, run your tests, and open its report.</Empty>}
    >
      <OperationForm id="run.start" ask={['name', 'note']} button="Start run" done={(run) => navigate(reportOf(run))} />
    </ListScreen>
  )
}

export function ReportScreen() {
  const [{ run }] = useFilters('run')
  const [readings, setReadings] = useState(0)
  const frame = useRef<HTMLIFrameElement>(null)
  const of: Record<string, string> = run ? { run } : {}
  return (
    <Screen
      title="Report"
      about="Results of tests, reasons of failures, and whether your app's books are right: JSON, or CSV with the header reference,requestId,kind,amount,currency,status."
      actions={
        <>
          <Button variant="default" size="xs" component={Link} href="/runs">
            Choose a test run
          </Button>
          <Button variant="default" size="xs" onClick={() => setReadings(readings + 1)} data-testid="again">
            Refresh
          </Button>
          <Button size="xs" onClick={() => frame.current?.contentWindow?.print()}>
            Print or save as PDF
          </Button>
        </>
      }
    >
      <OperationForm
        id="books.compare"
        ask={['books']}
        button="Compare with the ledger"
        done={() => setReadings(readings + 1)}
        keeps
      />
      <ReportFrame key={`${run} ${readings}`} frame={frame} address={addressOf({ ...of, format: 'html' })} />
    </Screen>
  )
}

export function CoverageScreen() {
  return (
    <Screen title="Coverage" about="How much of the service this world exercised, and what is left.">
      <ReportFrame address={`${worldUrl}/_mfano/coverage?format=html`} />
    </Screen>
  )
}

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
