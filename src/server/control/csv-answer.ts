import * as z from 'zod'
import { valueAt } from '../../core/model/must.ts'
import { type ControlContext, prefers } from './control-context.ts'
import type { AnyOperation, List } from './declared-operation.ts'

export const listFormat = {
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .optional()
    .describe('`csv`: the rows alone; `Link` leads to the next page. Else as Accept says.'),
}

export const asCsv = { 'text/csv': 'The rows of the list, with a header; the Link header leads to the next page.' }

export function wantsCsv(c: ControlContext): boolean {
  const format = c.req.query('format')
  return format === undefined ? prefers(c, 'text/csv') : format === 'csv'
}

export async function csvOf(c: ControlContext, declared: ListOperation, answer: { next?: number | null }) {
  const { rows, name = rows, picks } = declared.list
  const columns = columnsOf(declared)
  const shown = picks ? picks(answer as never) : (valueAt(answer, rows) as readonly object[])
  const cells = shown.map((row) => columns.map((path) => valueAt(row, path)))
  return new Response(await csvText(columns, cells), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
      ...(answer.next != null && { link: `<${nextOf(c, answer.next)}>; rel="next"` }),
    },
  })
}

type ListOperation = Pick<AnyOperation, 'answer'> & { list: List }

/** A column for each field of a row, in the order of its schema; an object in it has one for each of its own. */
function columnsOf({ answer, list }: ListOperation): string[] {
  const rows = fieldsOf(answer?.())[list.rows]
  const fields = Object.entries(fieldsOf(rows instanceof z.ZodArray ? rows.element : undefined))
  return fields.flatMap(([name, field]) => {
    const inner = Object.keys(fieldsOf(field))
    return inner.length === 0 ? [name] : inner.map((one) => `${name}.${one}`)
  })
}

function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap())
  return schema instanceof z.ZodObject ? schema.shape : {}
}

/** Relative, so that it works under every address of the server. */
function nextOf(c: ControlContext, next: number): string {
  const query = new URLSearchParams(c.req.query())
  query.set('format', 'csv')
  query.set('before', String(next))
  return `?${query}`
}

// CSV by RFC 4180, safe to open in a spreadsheet: texts that look like formulas are defused.

/** A signed number, such as a phone's, is no formula. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/

export async function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<string> {
  const { default: Papa } = await import('papaparse')
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
