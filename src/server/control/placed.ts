/** The parameters of an operation, in one flat record, as its path, its query and its body; and hints as requests. */
import * as z from 'zod'
import { filledPath, type QueryValue } from '../../core/model/filled-path.ts'
import { type Hint, hintSentence, type ShownHint } from '../../core/model/hint.ts'
import type { AnyOperation } from './declared-operation.ts'

export type OperationParameters = Readonly<Record<string, unknown>>

/** Where parameters go. */
export interface Placed {
  path: Record<string, string>
  query: Record<string, QueryValue>
  body?: unknown
}

/**
 * A name that is neither in the path nor in the query is a field of the body. `body` is all of a body that has no
 * fields, such as a file.
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

/** Says a hint as a request to the control plane at a base URL; without one, from the root. */
export function asRequest(operations: readonly AnyOperation[], baseUrl = '') {
  return (hint: Hint): ShownHint => {
    const declared = operations.find(({ id }) => id === hint.operation) as AnyOperation
    const { path, query, body } = placed(declared, hint.with)
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    const request = `${declared.method} ${hint.at ?? baseUrl}/_mfano${filledPath(declared.path, path, query)}${sent}`
    return { ...hint, text: hintSentence(hint, request) }
  }
}
