/** Earlier payments of a party, for conditions that ask about `history`. */
import { type Core, kindOf } from '../core.ts'
import { startOfDay } from '../model/calendar.ts'
import { toMajor } from '../model/money.ts'
import { partyOf, partyText } from '../model/party.ts'
import type { Payment } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import type { History } from '../scenarios/decide/payment-history.ts'
import type { Spender } from '../store/activity.ts'

export function historyOf(
  core: Core,
  { kind, currency, organisationId, request }: Pick<Payment, 'kind' | 'currency' | 'organisationId' | 'request'>,
): History {
  const { activity } = core.store
  const about = kindOf(core, { kind })
  const made = (since: 'today' | DurationUs, by: Spender) =>
    activity.made(kind, since === 'today' ? beginningOfDay(core) : core.clock.now() - since, by)
  return {
    outcomes: (party) => activity.outcomes(kind, partyText(about, party)),
    paidToday: (party) =>
      toMajor(activity.spent([kind], currency, beginningOfDay(core), { party: partyText(about, party) })),
    made: (since, party) => made(since, party === undefined ? { organisationId } : { party: partyText(about, party) }),
    madeWithParty(since) {
      const party = partyOf(about, request)
      return party === null ? 0 : made(since, { party })
    },
  }
}

function beginningOfDay({ clock, scenario }: Core): InstantUs {
  return startOfDay(clock.now(), scenario.zone.offsetUs)
}
