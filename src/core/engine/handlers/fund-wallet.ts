/** The command that tops up a wallet. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { fund } from '../effects.ts'

export function fundWallet(
  core: Core,
  { organisationId, currency, amountMinor }: Command<'fund-wallet'>,
): CommandResult<'fund-wallet'> {
  const transferId = fund(core, organisationId, currency, amountMinor)
  core.emit({ type: 'wallet', atUs: core.clock.now(), organisationId, currency, amountMinor })
  return { transferId }
}
