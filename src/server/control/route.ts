import type { Hono } from 'hono'
import * as z from 'zod'
import { parseJson, readBody } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import type { ControlContext, ControlEnv } from './control-context.ts'
import { csvOf, listFormat, wantsCsv } from './csv-answer.ts'
import type { AnyOperation, SchemaFor } from './declared-operation.ts'

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
    const answer = await run(c, { params: c.req.param(), query, body, operations })
    if (answer instanceof Response) return answer
    if (list && typeof answer === 'object' && answer !== null && wantsCsv(c)) return csvOf(c, list, answer)
    // Amounts are printed as plain numbers here, so a client needs no special JSON.
    return c.body(JSON.stringify(answer), undefined, { 'content-type': 'application/json' })
  }
}

async function readJson(c: ControlContext): Promise<unknown> {
  const text = await readBody(c.req.raw)
  return text.trim() === '' ? {} : parseJson(text)
}
