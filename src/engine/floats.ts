/** What is left of the money that a rail pays out from. */
import { floatCode } from '../ledger/ledger.ts'
import type { Float } from '../scenarios/language/rails.ts'
import type { Core } from './core.ts'

/**
 * What is left of a rail's float in minor units: what the scenario gives, less what went out and is on its way. What
 * waits for the float is not on its way yet, although the wallets of its payers have it reserved.
 */
export function remaining(core: Core, float: Float): number {
  const account = core.ledger.find(floatCode(float.currency, float.name))
  const { debitsPosted = 0, creditsPosted = 0, creditsPending = 0 } = account ?? {}
  const waitingMinor = core.store.floatQueue.reservedMinor(float.name, float.currency)
  return float.amountMinor + debitsPosted - creditsPosted - (creditsPending - waitingMinor)
}
