import { callbackBody } from '../callbacks/body.ts'
import type { Payment } from '../model/payment.ts'
import { LANE } from '../store/agenda.ts'
import { type Core, stamp } from './core.ts'

/** Writes a callback about a payment as it is now, and makes its first attempt due at once. Nothing without an address. */
export function writeCallback(core: Core, payment: Payment): void {
  const url = payment.kind === 'bank-collection' ? collectionUrl(core, payment) : payment.callbackUrl
  if (url === null) return
  const id = core.store.counters.next('callback')
  core.store.callbacks.insert({
    id,
    uid: `msg_${core.chance.uuid('callback', id).replaceAll('-', '')}`,
    paymentSeq: payment.seq,
    topic: payment.kind,
    url,
    body: JSON.stringify(callbackBody(core, payment)),
    state: 'pending',
    attempts: 0,
    createdAtUs: stamp(core),
    settledAtUs: null,
  })
  core.store.agenda.add(LANE.deliveries, core.clock.now(), id, 'deliver')
}

/** Bank collections have no request, so they go where the organisation wants them. */
function collectionUrl(core: Core, payment: Payment): string | null {
  if (core.scenario.assumptions['bank-collection-callback'] === 'none') return null
  return core.store.organisations.byId(payment.organisationId).collectionCallbackUrl
}
