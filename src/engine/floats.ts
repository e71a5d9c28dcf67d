import { floatCode, fundingCode } from '../ledger/ledger.ts'
import type { Float } from '../scenarios/rails/rails.ts'
import type { Command, Result } from './commands.ts'
import { type Core, stamp } from './core.ts'

/** What is left of a rail's float in minor units: what the scenario gives, less what went out and is on its way. */
export function remaining(core: Core, float: Float): number {
  const account = core.ledger.find(floatCode(float.currency, float.name))
  const { debitsPosted = 0, creditsPosted = 0, creditsPending = 0 } = account ?? {}
  return float.amountMinor + debitsPosted - creditsPosted - creditsPending
}

/** An operator tops up a rail's float. */
export function fundFloat(core: Core, { name, currency, amountMinor }: Command<'fund-float'>): Result<'fund-float'> {
  const transferId = core.ledger.post({
    kind: 'float-funding',
    debit: floatCode(currency, name),
    credit: fundingCode(currency),
    amountMinor,
    paymentSeq: null,
    atUs: stamp(core),
  })
  return { transferId }
}
