/** CSV by RFC 4180, safe to open in a spreadsheet: texts that look like formulas are defused. */
import Papa from 'papaparse'

/** A signed number, such as a phone's, is no formula. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/

export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cellOf))
  const text = Papa.unparse([[...columns], ...cells], { newline: '\r\n', escapeFormulae: FORMULA })
  return `${text}\r\n`
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join('; ')
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
