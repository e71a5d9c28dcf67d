/** The form that compares books with the ledger; the report shows what was found. */
import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { submitting, useChange } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { ErrorNote } from '../parts/notes.tsx'

const HEADER = 'reference,requestId,kind,amount,currency,status'

export function CompareBooks({ compared }: { compared(): void }) {
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
