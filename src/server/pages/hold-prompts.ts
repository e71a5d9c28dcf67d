/**
 * Gives somebody who looks at a prompt the time that a person takes. In a world whose time stands nothing need be put
 * off; where it goes, that somebody looks comes from outside, and enters as a command like everything else.
 */
import { kindOf } from '../../core/core.ts'
import type { Payment } from '../../core/model/payment.ts'
import { askedAtUs } from '../../core/model/phone-prompt.ts'
import { type DurationUs, SECOND_US } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'

/** In real time, at whatever pace the world goes: people do not become faster with it. */
interface Patience {
  /** From now on. */
  forUs: DurationUs
  /** After the prompt came up, however long it is looked at. */
  mostUs: DurationUs
}

/** The page of the phone is open, which says so again three times a minute. */
export const LOOKED_AT: Patience = { forUs: 60 * SECOND_US, mostUs: 600 * SECOND_US }
/** A hand moves on the checkout page: time to open the phone. */
export const HAND_SEEN: Patience = { forUs: 20 * SECOND_US, mostUs: 20 * SECOND_US }

/** Puts off what becomes of a prompt by itself, as far as patience goes. */
export async function holdFor(world: World, payment: Payment, { forUs, mostUs }: Patience): Promise<void> {
  const { clock } = world.core
  if (clock.rate === 0 || clock.paused) return
  const cameUs = askedAtUs(kindOf(world.core, payment), payment)
  const untilUs = Math.floor(Math.min(clock.now() + forUs * clock.rate, cameUs + mostUs * clock.rate))
  await world.perform({ command: 'hold-prompt', uuid: payment.uuid, untilUs })
}
