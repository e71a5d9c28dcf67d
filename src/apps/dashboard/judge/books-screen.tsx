/** The page that compares books with the ledger. */
import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Finding, Verdict } from '../../../client/control-answers.ts'
import { counted } from '../../../core/model/counted.ts'
import { submitting, useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { Findings, useLastVerdict } from './findings.tsx'

const HEADER = 'reference,requestId,kind,amount,currency,status'
/** What a finding looks like, for those who have compared nothing yet. */
const EXAMPLE: Finding = {
  code: 'stale',
  level: 'error',
  text: 'The payout of KES 1,000.00 to 254712345678 (salary-1) is FAILED; the books say SUCCESS.',
  todo: 'Book what callbacks and lists show, also when it comes late.',
}

export function BooksScreen() {
  const last = useLastVerdict()
  return (
    <Screen title="Books" about="Compare what your app believes about its payments with the ledger of this world.">
      <Compare />
      <QueryAnswer of={last}>
        {({ last: verdict }) =>
          verdict ? (
            <Told verdict={verdict} />
          ) : (
            <>
              <Empty title="No books were compared yet">
                Paste your app's books above, or upload them. <code>mfano reconcile --books URL</code> fetches them from
                your app.
              </Empty>
              <Section title="An example finding">
                <Findings findings={[EXAMPLE]} />
              </Section>
            </>
          )
        }
      </QueryAnswer>
    </Screen>
  )
}

function Compare() {
  const [text, setText] = useState('')
  const compare = useChange(() => world('POST', '/reconcile', { body: { books: booksIn(text) } }))
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

function Told({ verdict: { findings, warnings, compared, at } }: { verdict: Verdict }) {
  return (
    <>
      <Section title={findings.length === 0 ? 'The books are right' : counted(findings.length, 'finding')}>
        <Dim mb="sm" data-testid="compared">
          {counted(compared.lines, 'line')}, {counted(compared.payments, 'payment')}, {compared.matched} matched,{' '}
          <Instant at={at} />
        </Dim>
        <Findings findings={findings} linked />
      </Section>
      {warnings.length > 0 && (
        <Section title="Advice">
          <Findings findings={warnings} linked />
        </Section>
      )}
    </>
  )
}
