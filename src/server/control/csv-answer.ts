/** Lists of the control plane as CSV, for who asks for that: `?format=csv`, or `Accept: text/csv`. */
import type { MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import type { ControlContext, ControlEnv } from './control-context.ts'
import { type CsvList, listColumns } from './csv-columns.ts'

/** Of the query of a list. */
export const listFormat = {
  /** `csv`: the rows alone, by RFC 4180; the `Link` header leads to the next page. Else as the Accept header says. */
  format: z.enum(['json', 'csv'], 'must be json or csv').optional(),
}

/** What a list answers besides JSON. */
export const asCsv = { 'text/csv': 'The rows of the list, with a header; the Link header leads to the next page.' }

/** Of lists that are asked for nothing else. */
export const plainList = z.strictObject(listFormat)

const accepted = { header: 'Accept' as const, supports: ['application/json', 'text/csv'], default: 'application/json' }

/**
 * Turns the JSON of a list into CSV where that is wanted. `rows` finds the rows in it, under the list's own name unless
 * told; `page` is the parameter that `next` is given to.
 */
export function csv(
  list: CsvList,
  rows: (body: never) => readonly object[] = (body) => body[list],
  page: 'before' | 'from' = 'before',
): MiddlewareHandler<ControlEnv> {
  return async (c, next) => {
    await next()
    if (c.res.status !== 200 || !wantsCsv(c)) return
    const body = (await c.res.json()) as { next?: number | null }
    const { csvText } = await import('../../core/model/csv.ts')
    const columns = listColumns[list]
    const text = csvText(
      columns,
      rows(body as never).map((row) => columns.map((path) => valueAt(row, path))),
    )
    c.res = new Response(text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${list}.csv"`,
        ...(body.next != null && { link: `<${nextOf(c, page, body.next)}>; rel="next"` }),
      },
    })
  }
}

function wantsCsv(c: ControlContext): boolean {
  const format = c.req.query('format')
  return format === undefined ? accepts(c, accepted) === 'text/csv' : format === 'csv'
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
