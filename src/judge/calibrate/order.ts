/** The order of probes: those that other answers depend on first, then by cost. */
import { tiers } from '../../service/probes.ts'
import { probeOf } from './probe-of.ts'

/** First, because all other answers are read by the form of errors. */
const FIRST = [
  'error-body',
  'checkout-error-body',
  'subscription-required',
  'unknown-fields',
  'unsupported-media-type',
  'funds-check',
]

export function inAskingOrder(ids: readonly string[]): string[] {
  const rank = (id: string) => {
    const at = FIRST.indexOf(id)
    const probe = probeOf(id)
    const tier = probe && 'ways' in probe ? tiers.indexOf(probe.ways[0].tier) : tiers.length
    return at !== -1 && tier <= tiers.indexOf('free') ? at : (tier + 1) * 1000 + (at === -1 ? FIRST.length : at)
  }
  return ids.toSorted((a, b) => rank(a) - rank(b))
}
