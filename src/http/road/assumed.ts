/** The assumptions that the road of a request asks for. */
import type { TransportAssumptions } from '../../core/model/assumption.ts'
import type { Exchange } from '../exchange.ts'

/** The alternative in force, where one had to be asked for: the journal names the assumption. */
export function assumed<Id extends keyof TransportAssumptions>(
  { world, notes }: Pick<Exchange, 'world' | 'notes'>,
  id: Id,
): TransportAssumptions[Id] {
  if (!notes.assumed?.includes(id)) notes.assumed = [...(notes.assumed ?? []), id]
  return world.core.scenario.assumptions[id]
}
