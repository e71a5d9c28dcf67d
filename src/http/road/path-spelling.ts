/** Paths that match an operation except for their spelling. */

import type { Assumptions, TransportAssumptions } from '../../core/model/assumption.ts'
import { keysIn } from '../../core/model/must.ts'
import type { TakenFor } from '../http-service.ts'
import type { Operation } from '../operation.ts'
import { operationsAt } from './path.ts'

type Spelling = Pick<TransportAssumptions, 'path-encoding' | 'double-slash' | 'trailing-slash' | 'path-case'>

export function respelled(operations: readonly Operation[], sent: string): TakenFor | undefined {
  const rewrites: Record<keyof Spelling, (path: string) => string> = {
    'path-encoding': decodedUnreserved,
    'double-slash': (path) => path.replaceAll(/\/{2,}/g, '/'),
    'trailing-slash': (path) => path.replace(/(?<=.)\/$/, ''),
    'path-case': (path) => publishedCase(operations, path),
  }
  let path = sent
  const assumed: (keyof Spelling)[] = []
  for (const id of keysIn(rewrites)) {
    const before = path
    path = rewrites[id](path)
    if (path !== before) assumed.push(id)
  }
  return assumed.length > 0 && operationsAt(operations, path).length > 0 ? { path, assumed } : undefined
}

/** When assumptions differ, the strictest wins. */
export function spellingOutcome(
  { assumed }: TakenFor,
  assumptions: Assumptions,
): 'same' | '400' | '404' | '301' | '308' {
  const choices = assumed.map((id) => assumptions[id])
  return (['404', '400', '301', '308'] as const).find((one) => choices.includes(one)) ?? 'same'
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
