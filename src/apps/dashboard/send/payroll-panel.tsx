/** Sends a payment for each row of a file. */
import { Alert, Button, FileButton, Group, Progress, Stack, Table, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../core/model/counted.ts'
import { saveFile } from '../api/save-file.ts'
import { useFirst } from '../parts/first.tsx'
import { HttpStatus } from '../parts/formatted.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { refusalWords } from '../requests/refusal-words.ts'
import { type Form, fieldsFor, toRequest } from './form-fields.ts'
import { answersCsv, readPayroll } from './payroll-file.ts'
import { merchantOf, type SentRequest } from './send-as.ts'

const SHOWN = 100

export function PayrollPanel(props: {
  operation: string
  organisation: string
  form: Form
  values: Readonly<Record<string, string>>
}) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [answers, setAnswers] = useState<readonly SentRequest[]>([])
  const payroll = readPayroll(text, props.form.fields)
  const { rows, columns, ignored, problems } = payroll
  const send = useMutation({
    mutationFn: async () => {
      setAnswers([])
      const merchant = await merchantOf(props.organisation)
      const done: SentRequest[] = []
      // One by one, in the order of the file, as payrolls are sent.
      for (const row of rows) {
        const values = { ...props.values, ...row.fields }
        done.push(await merchant(props.operation, toRequest(fieldsFor(props.form, values), values)))
        setAnswers([...done])
      }
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const write = (next: string) => {
    setText(next)
    setAnswers([])
  }
  const { shown, more } = useFirst(rows, SHOWN)
  const refused = answers.filter(({ status }) => status >= 400).length
  return (
    <Stack gap="sm">
      <Text size="sm">
        A CSV file with field names in its first line, such as <code>phoneNumber,amount,referenceId</code>. Fields
        without a column are taken from the form above.
      </Text>
      <Group gap="xs">
        <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void file?.text().then(write)}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Open a file
            </Button>
          )}
        </FileButton>
        <Button
          size="xs"
          disabled={rows.length === 0 || problems.length > 0}
          loading={send.isPending}
          onClick={() => send.mutate()}
          data-testid="send-all"
        >
          Send {counted(rows.length, 'payment')}
        </Button>
        {answers.length > 0 && (
          <Button
            size="xs"
            variant="light"
            onClick={() => saveFile('answers.csv', 'text/csv', answersCsv(payroll, answers))}
            data-testid="answers-csv"
          >
            Answers as CSV
          </Button>
        )}
      </Group>
      <Textarea
        aria-label="The payroll, as CSV"
        className="mono"
        autosize
        minRows={4}
        maxRows={10}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        data-testid="payroll"
      />
      {problems.length > 0 && (
        <Alert color="red" title="This cannot be read as CSV" data-testid="payroll-problem">
          {problems.slice(0, 5).join('; ')}
        </Alert>
      )}
      {ignored.length > 0 && (
        <Alert color="orange" title="Ignored columns" data-testid="ignored-columns">
          {ignored.join(', ')}: the request has no such field.
        </Alert>
      )}
      {send.error && <ErrorNote error={send.error} />}
      {answers.length > 0 && (
        <div data-testid="sent">
          <Progress value={(100 * answers.length) / rows.length} aria-label="Sent" mb={4} />
          <Text size="sm" role="status">
            {counted(answers.length, 'payment')} sent, {refused} refused
          </Text>
        </div>
      )}
      {rows.length > 0 && (
        <SmallTable titles={[...columns, 'Answer', 'Refused because']}>
          {shown.map(({ texts }, i) => {
            const answer = answers[i]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <Table.Tr key={i} data-testid="payroll-row">
                {columns.map((column) => (
                  <Table.Td key={column} data-title={column}>
                    {texts[column]}
                  </Table.Td>
                ))}
                <Table.Td>{answer && <HttpStatus status={answer.status} />}</Table.Td>
                <Table.Td>{answer && answer.status >= 400 ? refusalWords(answer.body) : ''}</Table.Td>
              </Table.Tr>
            )
          })}
        </SmallTable>
      )}
      {more}
    </Stack>
  )
}
