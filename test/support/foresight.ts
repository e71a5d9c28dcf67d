/** What a preview foresees and what then happens, in one form. */
import type { DomainEvent } from '../../src/core/model/journal.ts'
import { isoInstant } from '../../src/core/model/time.ts'
import type { World } from '../../src/core/world.ts'

/** Changes of state and attempts, as a preview has them: what only happens under a condition aside. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the control plane
export function foreseen({ steps }: any): string[] {
  return steps
    .filter(({ only }: { only: string | null }) => only === null)
    .flatMap(({ at, from, to, what }: Record<string, string>) => {
      if (from === 'rail' && to === 'mfano') return [`${at} ${/: ([A-Z]+)/.exec(what ?? '')?.[1]}`]
      return what?.startsWith('callback') && to === 'merchant' ? [`${at} callback`] : []
    })
}

/** The same of what was told in the world, of the payment and of the second one of the same request. */
export function happened({ core, feed }: World, seen: number, seq: number | null): string[] {
  if (seq === null) return []
  const { payments, callbacks } = core.store
  const seqs = [seq, ...(payments.bySeq(seq)?.plan.twice ? [seq + 1] : [])]
  const events = Array.from({ length: feed.newest - seen }, (_, i) => feed.at(seen + 1 + i) as DomainEvent)
  return events.flatMap((event) => {
    const at = isoInstant(event.atUs)
    if (event.type === 'payment') return event.from !== null && seqs.includes(event.seq) ? [`${at} ${event.to}`] : []
    if (event.type !== 'callback' || !event.attempt) return []
    return seqs.includes(callbacks.byId(event.id)?.paymentSeq ?? 0) ? [`${at} callback`] : []
  })
}
