/** The page that compares books with the ledger. */
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Verdict } from '../../../client/control-answers.ts'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { Instant } from '../parts/formatted.tsx'
import { Empty, ErrorNote } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { Findings, useLastVerdict } from './findings.tsx'

const EXAMPLE = 'reference,requestId,kind,amount,currency,status\nsalary-1,,send-money,1000,KSH,SUCCESS'

export default function Books() {
  const last = useLastVerdict()
  return (
    <Screen title="Books" about="What your app believes of its payments, held against a ledger that cannot lie.">
      <Compare />
      <QueryAnswer of={last}>
        {({ last: verdict }) =>
          verdict ? (
            <Told verdict={verdict} />
          ) : (
            <Empty title="No books were compared yet">
              Paste them here, or run mfano reconcile --books with the address of your app's books.
            </Empty>
          )
        }
      </QueryAnswer>
    </Screen>
  )
}

function Compare() {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const compare = useMutation({
    mutationFn: () => world('POST', '/reconcile', { body: { books: booksIn(text) } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reconcile'] }),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        compare.mutate()
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Books"
          description="A JSON array, or CSV with these names as its header"
          placeholder={EXAMPLE}
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
                Take a file
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
      <Section title={findings.length === 0 ? 'The books are right' : 'What is wrong with them'}>
        <Text c="dimmed" size="sm" mb="sm" data-testid="compared">
          {counted(compared.lines, 'line')}, {counted(compared.payments, 'payment')}, {compared.matched} matched,{' '}
          <Instant at={at} />
        </Text>
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
