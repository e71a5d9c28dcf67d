/** A payment from its request to why it stopped. */
import { presentZone } from '../model/calendar.ts'
import type { Payment } from '../model/payment.ts'
import type { World } from '../world/world.ts'
import { answerLinks, callbackLinks } from './answers-and-callbacks.ts'
import { creationLinks } from './creation.ts'
import { transferLinks, transitionLinks } from './movements.ts'
import { paymentSummary } from './present.ts'
import { stopped } from './stopped.ts'

/** A payment, explained. */
export type Explained = ReturnType<typeof explainPayment>

/**
 * The chain of causes of a payment, as sentences with the data beside them, in order of simulated time: request, rule,
 * rails, plan, transitions, transfers, answer, callbacks and what came back. Then why it stopped, and what moves it on.
 * `baseUrl`: the world's, for what to do next.
 */
export function explainPayment(world: World, payment: Payment, baseUrl: string) {
  const timezone = presentZone(world.core.scenario.zone)
  return { payment: paymentSummary(world.core, payment), timezone, ...explanation(world, payment, baseUrl) }
}

/** The explanation without the payment, for where that is shown already. */
export function explanation(world: World, payment: Payment, baseUrl: string) {
  const { core } = world
  const callbacks = core.store.callbacks.ofPayment(payment.seq)
  const entries = core.store.journal.ofPayment(payment.seq)
  const links = [
    ...creationLinks(world, payment, requestOf(world, payment)),
    ...transitionLinks(payment),
    ...transferLinks(core, payment),
    ...callbackLinks(core, callbacks),
    ...answerLinks(entries),
  ]
  return {
    // Of what happened in the same instant, the cause stands first.
    story: links.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    stopped: stopped(world, payment, callbacks, baseUrl),
  }
}

/** The request that made a payment, in the journal; of the second of two, the one that made both. */
function requestOf({ core }: World, { seq, history }: Payment) {
  const twin = history.all[0]?.by === 'plan'
  return core.store.journal.ofPayment(twin ? seq - 1 : seq).find((entry) => !entry.notes?.replayed)
}
