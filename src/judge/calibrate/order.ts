/** In which order assumptions are asked: what explains other answers first, then by what it costs. */
import { probes, tiers } from '../../service/probes.ts'

/** How errors look and what is checked first decides how all other answers are read. */
const FIRST = [
  'error-body',
  'check-order',
  'missing-code',
  'checkout-error-body',
  'malformed-ids',
  'subscription-required',
  'unknown-parameters',
  'unknown-fields',
  'unsupported-media-type',
  'funds-check',
]

/** The ids of all that can be asked, in that order. */
export function inAskingOrder(ids: readonly string[]): string[] {
  const rank = (id: string) => {
    const at = FIRST.indexOf(id)
    const probe = probes[id as keyof typeof probes]
    const tier = probe && 'ways' in probe ? tiers.indexOf(probe.ways[0].tier) : tiers.length
    return at !== -1 && tier <= tiers.indexOf('free') ? at : (tier + 1) * 1000 + (at === -1 ? FIRST.length : at)
  }
  return ids.toSorted((a, b) => rank(a) - rank(b))
}
