/** Rows as CSV by RFC 4180, which a spreadsheet opens without running any of it. */
import Papa from 'papaparse'

/** What a spreadsheet takes for a formula; a number with its sign, such as a phone's, is none. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/

/** A header of the columns, and a line for each row, each ended with CRLF. What is null is empty. */
export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cellOf))
  const text = Papa.unparse([[...columns], ...cells], { newline: '\r\n', escapeFormulae: FORMULA })
  return `${text}\r\n`
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
}
