/** Payments from a CSV file, and their answers as CSV. */
import Papa from 'papaparse'
import { refusalWords } from '../requests/refusal-words.ts'
import type { Field } from './form-fields.ts'
import type { SentRequest } from './send-as.ts'

export interface Payroll {
  columns: readonly string[]
  ignored: readonly string[]
  rows: readonly { texts: Readonly<Record<string, string>>; fields: Readonly<Record<string, string>> }[]
  problems: readonly string[]
}

/** Column names match fields in any case, with blanks or underscores. */
export function readPayroll(text: string, fields: readonly Field[]): Payroll {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text.trim(), {
    header: true,
    skipEmptyLines: 'greedy',
  })
  const columns = meta.fields ?? []
  const byColumn = new Map(
    columns.flatMap((column) => {
      const field = fields.find(({ name }) => plain(name) === plain(column))
      return field ? [[column, field.name] as const] : []
    }),
  )
  return {
    columns,
    ignored: columns.filter((column) => !byColumn.has(column)),
    rows: data.map((texts) => ({
      texts,
      fields: Object.fromEntries([...byColumn].map(([column, name]) => [name, texts[column] ?? ''])),
    })),
    // One column alone has no delimiter, which is no mistake.
    problems: errors
      .filter(({ type }) => type !== 'Delimiter')
      .map(({ row, message }) => (row === undefined ? message : `line ${row + 2}: ${message}`)),
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

export function answersCsv({ columns, rows }: Payroll, answers: readonly (SentRequest | undefined)[]): string {
  const data = rows.map(({ texts }, i) => {
    const answer = answers[i]
    const refused = answer && answer.status >= 400 ? (refusalWords(answer.body) ?? '') : ''
    return [...columns.map((column) => texts[column] ?? ''), answer?.status ?? '', answer?.payment ?? '', refused]
  })
  return Papa.unparse({ fields: [...columns, 'answered', 'payment', 'refused'], data }, { escapeFormulae: true })
}
