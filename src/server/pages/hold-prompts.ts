/**
 * Gives a person who looks at a prompt time to answer. A frozen world needs no delay. Otherwise the delay is a command,
 * because a replay must repeat it.
 */
import { kindOf } from '../../core/core.ts'
import type { Payment } from '../../core/model/payment.ts'
import { askedAtUs } from '../../core/model/phone-prompt.ts'
import { type DurationUs, SECOND_US } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'

/** In real time, because people do not get faster with the world. */
interface Patience {
  forUs: DurationUs
  /** After the prompt appeared, however long somebody looks. */
  mostUs: DurationUs
}

/** The handset page is open, and says so three times a minute. */
export const LOOKED_AT: Patience = { forUs: 60 * SECOND_US, mostUs: 600 * SECOND_US }
/** Somebody moves on the checkout page, and needs time to open the phone. */
export const HAND_SEEN: Patience = { forUs: 20 * SECOND_US, mostUs: 20 * SECOND_US }

export async function holdFor(world: World, payment: Payment, { forUs, mostUs }: Patience): Promise<void> {
  const { clock } = world.core
  if (clock.rate === 0 || clock.paused) return
  const cameUs = askedAtUs(kindOf(world.core, payment), payment)
  const untilUs = Math.floor(Math.min(clock.now() + forUs * clock.rate, cameUs + mostUs * clock.rate))
  await world.perform({ command: 'hold-prompt', uuid: payment.uuid, untilUs })
}
