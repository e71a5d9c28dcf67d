/** Many payments in one file: a CSV in, its answers as CSV out. */
import Papa from 'papaparse'
import { refusalOf } from '../requests/refusal-words.ts'
import type { Field } from './form-fields.ts'
import type { Sent } from './send-as.ts'

/** A file that was read: each row by the names of its columns, and the fields that these stand for. */
export interface Payroll {
  columns: readonly string[]
  /** Columns that no field of the request has; nothing reads them. */
  ignored: readonly string[]
  rows: readonly { texts: Readonly<Record<string, string>>; fields: Readonly<Record<string, string>> }[]
  /** Why the file cannot be read, with the line. */
  problems: readonly string[]
}

/** Reads a CSV with a header; columns are matched with fields whatever their case, blanks and underscores. */
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
    // One column alone has nothing that could part it from others.
    problems: errors
      .filter(({ type }) => type !== 'Delimiter')
      .map(({ row, message }) => (row === undefined ? message : `line ${row + 2}: ${message}`)),
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The rows as they came, each with what it was answered. */
export function answersCsv({ columns, rows }: Payroll, answers: readonly (Sent | undefined)[]): string {
  const data = rows.map(({ texts }, i) => {
    const answer = answers[i]
    const refused = answer && answer.status >= 400 ? (refusalOf(answer.body) ?? '') : ''
    return [...columns.map((column) => texts[column] ?? ''), answer?.status ?? '', answer?.payment ?? '', refused]
  })
  return Papa.unparse({ fields: [...columns, 'answered', 'payment', 'refused'], data }, { escapeFormulae: true })
}
