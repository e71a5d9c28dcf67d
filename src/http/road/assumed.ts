/** Assumptions that the road consults. */
import type { TransportAssumptions } from '../../core/model/assumption.ts'
import type { Exchange } from '../exchange.ts'

/** Names the assumption in the journal, because it decided what happened. */
export function assumed<Id extends keyof TransportAssumptions>(
  { world, notes }: Pick<Exchange, 'world' | 'notes'>,
  id: Id,
): TransportAssumptions[Id] {
  if (!notes.assumed?.includes(id)) notes.assumed = [...(notes.assumed ?? []), id]
  return world.core.scenario.assumptions[id]
}
