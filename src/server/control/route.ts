import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { ZONE_HEADER, zoneHeader } from '../../core/model/calendar.ts'
import { valueAt } from '../../core/model/must.ts'
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { brokenOff, parseJson, readBody } from '../../http/read-body.ts'
import { pathBelowBase } from '../../http/serve.ts'
import { validate } from '../../http/validate.ts'
import type { ShowHint } from '../../inspect/explain-payment.ts'
import { type ControlContext, type ControlEnv, prefers, refusalOf, refusedResponse } from './control-context.ts'
import type { AnyOperation, List, SchemaFor } from './declared-operation.ts'
import { guard } from './guard.ts'

/** Sends the world's time zone in a header, because answers contain times in UTC only. */
const tellZone = createMiddleware<ControlEnv>(async (c, next) => {
  await next()
  const zone = c.env.zone()
  // Not `c.header`: it would wrap the answer in another, and stream its body.
  if (zone) c.res.headers.set(ZONE_HEADER, zoneHeader(zone))
})

export function controlBase(show?: ShowHint): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>({ getPath: pathBelowBase })
  app.use(guard)
  app.notFound((c) =>
    refusedResponse(
      new Refusal(
        'NOT_FOUND',
        `nothing is at ${c.req.method} ${c.env.path.split('?')[0]}; GET ${c.env.baseUrl}/_mfano/ lists what there is`,
      ),
    ),
  )
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusedResponse(error, show)
    if (error instanceof ScenarioError) return refusedResponse(new Refusal('INVALID_SCENARIO', error.message))
    // Nobody is there to be answered any more, and the work ended for that reason.
    if (error === c.req.raw.signal.reason) return refusedResponse(brokenOff())
    c.env.worlds.failed(c.env.id, error, `${c.req.method} ${c.env.path.split('?')[0]}`)
    return refusedResponse(refusalOf(error))
  })
  return app
}

export function controlApp(operations: readonly AnyOperation[], show: ShowHint): Hono<ControlEnv> {
  const app = controlBase(show)
  app.use(tellZone)
  addRoutes(app, operations)
  return app
}

export function addRoutes(app: Hono<ControlEnv>, operations: readonly AnyOperation[]): void {
  for (const declared of operations)
    for (const path of pathsOf(declared)) app.on(declared.method, path, answering(declared, operations))
}

export function pathsOf({ path }: AnyOperation): string[] {
  return path === '/' ? ['/_mfano', '/_mfano/'] : [`/_mfano${path}`]
}

export function querySchema({ query, list }: AnyOperation): z.ZodType | undefined {
  const own = query && schemaOf(query)
  if (!list) return own
  const fields = own ?? z.strictObject({})
  if (!(fields instanceof z.ZodObject))
    throw new Error(`A defect of mfano: the query of the list of ${list.rows} has no fields.`)
  return fields.extend(listFormat)
}

export function schemaOf(schema: SchemaFor<z.ZodType>): z.ZodType {
  return typeof schema === 'function' ? schema() : schema
}

export function statusesOf({ status = 200 }: AnyOperation): readonly number[] {
  return typeof status === 'number' ? [status] : status
}

function answering(declared: AnyOperation, operations: readonly AnyOperation[]) {
  const { list, run, read = readJson } = declared
  const queryBy = querySchema(declared)
  const bodyBy = declared.body && schemaOf(declared.body)
  const [status] = statusesOf(declared)
  return async (c: ControlContext): Promise<Response> => {
    const query = Object.assign({}, queryBy && validate(queryBy, c.req.query()))
    if (list) Reflect.deleteProperty(query, 'format')
    const body = bodyBy && validate(bodyBy, await read(c))
    c.status(status as 200)
    const answer = await run({
      ...{ c, env: c.env, signal: c.req.raw.signal, params: c.req.param(), query, body, operations },
      get world() {
        return c.env.world
      },
    })
    if (answer instanceof Response) return answer
    if (list && typeof answer === 'object' && answer !== null && wantsCsv(c))
      return csvOf(c, { ...declared, list }, answer)
    // Amounts are printed as plain numbers here, so a client needs no special JSON.
    return c.body(JSON.stringify(answer), undefined, { 'content-type': 'application/json' })
  }
}

async function readJson(c: ControlContext): Promise<unknown> {
  const text = await readBody(c.req.raw)
  return text.trim() === '' ? {} : parseJson(text)
}

const listFormat = {
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .optional()
    .describe('`csv`: the rows alone; `Link` leads to the next page. Else as Accept says.'),
}

export const asCsv = { 'text/csv': 'The rows of the list, with a header; the Link header leads to the next page.' }

function wantsCsv(c: ControlContext): boolean {
  const format = c.req.query('format')
  return format === undefined ? prefers(c, 'text/csv') : format === 'csv'
}

async function csvOf(c: ControlContext, declared: ListOperation, answer: { next?: number | null }) {
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
