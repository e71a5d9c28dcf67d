/** Lists of the control plane as CSV, for who asks for that: `?format=csv`, or `Accept: text/csv`. */
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import type { ControlContext } from './control-context.ts'
import type { List } from './declared-operation.ts'

/** Added to what the query of a list takes. */
export const listFormat = {
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .optional()
    .describe(
      '`csv`: the rows alone, by RFC 4180; the `Link` header leads to the next page. Else as the Accept header says.',
    ),
}

/** What a list answers besides JSON. */
export const asCsv = { 'text/csv': 'The rows of the list, with a header; the Link header leads to the next page.' }

const accepted = { header: 'Accept' as const, supports: ['application/json', 'text/csv'], default: 'application/json' }

export function wantsCsv(c: ControlContext): boolean {
  const format = c.req.query('format')
  return format === undefined ? accepts(c, accepted) === 'text/csv' : format === 'csv'
}

/** A list as a table of its columns. */
export async function csvOf(c: ControlContext, list: List, answer: { next?: number | null }): Promise<Response> {
  const { name, columns, page = 'before' } = list
  const { csvText } = await import('../../core/model/csv.ts')
  return new Response(csvText(columns, cellsOf(list, answer)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
      ...(answer.next != null && { link: `<${nextOf(c, page, answer.next)}>; rel="next"` }),
    },
  })
}

/** Rows by the columns of the list. */
export function cellsOf({ columns, rows }: List, answer: object): unknown[][] {
  return rows(answer as never).map((row) => columns.map((path) => valueAt(row, path)))
}

/** Relative, so that it holds wherever the server is reached. */
function nextOf(c: ControlContext, page: string, next: number): string {
  const query = new URLSearchParams(c.req.query())
  query.set('format', 'csv')
  query.set(page, String(next))
  return `?${query}`
}

/** `party.id` of a row; undefined where something on the way is null. */
function valueAt(row: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row)
}
