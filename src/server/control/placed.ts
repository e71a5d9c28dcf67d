import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import { type Hint, hintSentence, type ShownHint } from '../../core/model/problems.ts'
import { filledPath, type QueryValue } from '../../core/model/text.ts'
import type { AnyOperation } from './declared-operation.ts'

export type OperationParameters = Readonly<Record<string, unknown>>

export interface Placed {
  path: Record<string, string>
  query: Record<string, QueryValue>
  body?: unknown
}

/**
 * Whatever is not in the path or the query is a field of the body. A parameter named `body` is a body without fields,
 * such as a file.
 */
export function placed({ path, query, body }: AnyOperation, parameters: OperationParameters): Placed {
  const inPath = new Set(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name))
  const inQuery = query instanceof z.ZodObject ? query.shape : {}
  const at: Placed & { fields: Record<string, unknown> } = { path: {}, query: {}, fields: {} }
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    if (inPath.has(name)) at.path[name] = String(value)
    else if (body === undefined && name === 'body') at.body = value
    else if (body === undefined || name in inQuery) at.query[name] = value as QueryValue
    else at.fields[name] = value
  }
  const { fields, ...rest } = at
  return body !== undefined && Object.keys(fields).length > 0 ? { ...rest, body: fields } : rest
}

export function asRequest(operations: readonly AnyOperation[], baseUrl = '') {
  return (hint: Hint): ShownHint => {
    const declared = must(
      operations.find(({ id }) => id === hint.operation),
      `the operation ${hint.operation}`,
    )
    const { path, query, body } = placed(declared, hint.with)
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    const request = `${declared.method} ${baseUrl}/_mfano${filledPath(declared.path, path, query)}${sent}`
    return { ...hint, text: hintSentence(hint, request) }
  }
}
