/** The requests of a run, by operation, with reasons for refusals. */
import { asJson } from '../../core/model/as-json.ts'
import { errorParts } from '../../core/model/error-parts.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import type { RunSpan } from '../../core/model/test-run.ts'
import type { World } from '../../core/world.ts'
import { every } from '../questions/every.ts'

export interface RefusedRequests {
  operation: string | null
  status: number
  code: string | null
  rule: string | null
  count: number
  says: string
  requestId: string
}

export interface AskedOperation {
  operation: string | null
  count: number
  refused: number
}

export type RequestedInSpan = Awaited<ReturnType<typeof requestedIn>>

export async function requestedIn(world: World, span: RunSpan) {
  const refusals = new Map<string, RefusedRequests>()
  const operations = new Map<string | null, AskedOperation>()
  for await (const { entry } of every(world, 'request', Number.POSITIVE_INFINITY, span.request)) {
    if (!entry) continue
    const { operation, status } = entry
    const asked = operations.get(operation) ?? { operation, count: 0, refused: 0 }
    operations.set(operation, { ...asked, count: asked.count + 1, refused: asked.refused + (status >= 400 ? 1 : 0) })
    if (status >= 400) note(refusals, entry)
  }
  const all = [...operations.values()].sort((a, b) => b.count - a.count)
  const sum = (of: 'count' | 'refused') => all.reduce((total, one) => total + one[of], 0)
  return {
    counts: { all: sum('count'), refused: sum('refused') },
    operations: all,
    refusals: [...refusals.values()].sort((a, b) => b.count - a.count),
  }
}

function note(refusals: Map<string, RefusedRequests>, entry: JournalEntry): void {
  const { operation, status, rule, requestId, responseBody, notes } = entry
  const { code, message, details } = errorParts(asJson(responseBody))
  const key = JSON.stringify([operation, status, code, rule])
  const first = {
    operation,
    status,
    code: code ?? null,
    rule,
    requestId,
    says: details || message || notes?.fault || '',
  }
  refusals.set(key, { ...(refusals.get(key) ?? first), count: (refusals.get(key)?.count ?? 0) + 1 })
}
