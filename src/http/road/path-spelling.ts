/** Paths that match an operation except for their spelling. */
import type { TransportAssumptions } from '../../core/model/assumption.ts'
import type { TakenFor } from '../http-service.ts'
import type { Operation } from '../operation.ts'
import { operationsAt } from './path.ts'

export function respelled(operations: readonly Operation[], sent: string): TakenFor | undefined {
  const decoded = decodedUnreserved(sent)
  const single = decoded.replaceAll(/\/{2,}/g, '/')
  const bare = single.replace(/(?<=.)\/$/, '')
  const path = publishedCase(operations, bare)
  if (path === sent || operationsAt(operations, path).length === 0) return undefined
  return { path, endsInSlash: bare !== single, isOther: single !== decoded || path !== bare }
}

export function spellingOutcome(
  { endsInSlash, isOther }: TakenFor,
  assumptions: TransportAssumptions,
): TransportAssumptions['trailing-slash'] {
  if (isOther) return '404'
  return endsInSlash ? assumptions['trailing-slash'] : 'same'
}

/** RFC 3986: only these characters mean the same when percent-encoded. */
function decodedUnreserved(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded
  })
}

function publishedCase(operations: readonly Operation[], path: string): string {
  const sent = path.split('/')
  const isAlike = (part: string, at: number) => part.startsWith('{') || part.toLowerCase() === sent[at]?.toLowerCase()
  const published = operations
    .map((operation) => operation.path.split('/'))
    .find((parts) => parts.length === sent.length && parts.every(isAlike))
  return published?.map((part, at) => (part.startsWith('{') ? sent[at] : part)).join('/') ?? path
}
