/** The command that tops up a float. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, stamp } from '../../core.ts'
import { floatCode, fundingCode } from '../../ledger/ledger.ts'
import { releaseFunded } from '../float-queue.ts'

export function fundFloat(
  core: Core,
  { name, currency, amountMinor }: Command<'fund-float'>,
): CommandResult<'fund-float'> {
  const transferId = core.ledger.post({
    kind: 'float-funding',
    debit: floatCode(currency, name),
    credit: fundingCode(currency),
    amountMinor,
    paymentSeq: null,
    atUs: stamp(core),
  })
  releaseFunded(core, name, currency)
  return { transferId }
}
