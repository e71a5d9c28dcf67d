/** Earlier payments of a party, for conditions that ask about `history`. */
import { startOfDay, zoneOffsetUs } from '../model/calendar.ts'
import { toMajor } from '../model/money.ts'
import { partyText } from '../model/party.ts'
import type { Payment } from '../model/payment.ts'
import type { History } from '../scenarios/language/payment-history.ts'
import { type Core, kindOf } from './core.ts'

/** What happened before in a world, for the rules that ask. Nothing is read until one does. */
export function historyOf(core: Core, { kind, currency }: Pick<Payment, 'kind' | 'currency'>): History {
  const { activity } = core.store
  const about = kindOf(core, { kind })
  return {
    outcomes: (party) => activity.outcomes(kind, partyText(about, party)),
    paidToday: (party) => {
      const zoneUs = zoneOffsetUs(core.scenario.assumptions['timestamp-zone'])
      const dayUs = startOfDay(core.clock.now(), zoneUs)
      return toMajor(activity.spent([kind], currency, dayUs, { party: partyText(about, party) }))
    },
  }
}
