/** Earlier payments of a party, for conditions that ask about `history`. */
import { startOfDay, zoneOffsetUs } from '../model/calendar.ts'
import { toMajor } from '../model/money.ts'
import { partyText } from '../model/party.ts'
import type { Payment } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { History } from '../scenarios/language/payment-history.ts'
import { type Core, kindOf } from './core.ts'

/** What happened before in a world, for the rules that ask. Nothing is read until one does. */
export function historyOf(
  core: Core,
  { kind, currency, organisationId }: Pick<Payment, 'kind' | 'currency' | 'organisationId'>,
): History {
  const { activity } = core.store
  const about = kindOf(core, { kind })
  return {
    outcomes: (party) => activity.outcomes(kind, partyText(about, party)),
    paidToday: (party) =>
      toMajor(activity.spent([kind], currency, beginningOfDay(core), { party: partyText(about, party) })),
    made: (since, party) =>
      activity.made(
        kind,
        since === 'today' ? beginningOfDay(core) : core.clock.now() - since,
        party === undefined ? { organisationId } : { party: partyText(about, party) },
      ),
  }
}

function beginningOfDay({ clock, scenario }: Core): InstantUs {
  return startOfDay(clock.now(), zoneOffsetUs(scenario.assumptions['timestamp-zone']))
}
