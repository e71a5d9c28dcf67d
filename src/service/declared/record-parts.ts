/** Times and organisations as records print them. */
import { MINUTE_US } from '../../core/model/calendar.ts'
import type { View } from '../../core/model/kind.ts'
import type { JsonObject, Organisation, Payment } from '../../core/model/payment.ts'
import { formatInstant, type InstantUs, SECOND_US } from '../../core/model/time.ts'
import { chosen } from '../assumed/assumptions.ts'
import { kenya } from '../countries/kenya.ts'

/**
 * Forms of the published samples, for `as-published`. Seven or more digits come from answers that are made before
 * storage cuts to microseconds.
 */
export type TimestampForm = 'six-digits' | 'zeros-dropped' | 'eight-digits' | 'nine-digits'

interface Stamped {
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

export function timestamps(view: View, stamped: Stamped, form: TimestampForm) {
  return {
    createdAt: timestamp(view, stamped, 'createdAt', form),
    updatedAt: timestamp(view, stamped, 'updatedAt', form),
  }
}

export function timestamp(view: View, stamped: Stamped, name: 'createdAt' | 'updatedAt', form: TimestampForm): string {
  const atUs = stamped[`${name}Us`]
  const chosenForm = chosen(view)['timestamp-form']
  // Unique among all fields of all records, so that each draws its own form.
  const isDrawn = () => view.ids.of('timestamp-form', `${name} ${stamped.createdAtUs}`).below(2) === 0
  // Z means UTC, whatever the zone of other timestamps.
  if (chosenForm === 'Z' || (chosenForm === 'drawn' && isDrawn())) return `${formatInstant(atUs).slice(0, 19)}Z`
  return published(view, atUs, chosenForm === 'as-published' ? form : 'six-digits')
}

function published(view: View, atUs: InstantUs, form: TimestampForm): string {
  const micros = localInstant(view, atUs)
  if (form === 'six-digits') return micros
  if (form === 'zeros-dropped') return withoutZeros(micros)
  const nanos = view.ids.of('nanoseconds', atUs)
  return form === 'eight-digits'
    ? withoutZeros(micros + String(nanos.below(100)).padStart(2, '0'))
    : micros + String(nanos.below(1000)).padStart(3, '0')
}

function withoutZeros(instant: string): string {
  return instant.replace(/(\.\d+?)0+$/, '$1')
}

const FAILURE_FIELDS = [
  'responseCode',
  'responseDescription',
  'customerMessage',
  'statusCode',
  'statusDesc',
  'errorCode',
  'errorDesc',
]

/** Under `failure-codes`, records may hide it. */
export function reported(view: View, { status, details }: Pick<Payment, 'status' | 'details'>): JsonObject {
  if (status !== 'FAILED' || chosen(view)['failure-codes'] === 'told') return details
  return Object.fromEntries(Object.entries(details).filter(([name]) => !FAILURE_FIELDS.includes(name)))
}

/**
 * The service updates waiting payments in the background. Assumed: every minute, because the sample was updated at
 * 12:08:00.
 */
export const PASS_EVERY_US = MINUTE_US

/** Sets `updatedAt` as the background pass would, of which the samples of some kinds show traces. */
export function touched<Request>(view: View, payment: Payment<Request>): Payment<Request> {
  if (payment.status !== 'PENDING') return payment
  const nowUs = view.clock.now()
  const passUs = [passAfter(view, nowUs), passAfter(view, nowUs - PASS_EVERY_US)].find((atUs) => atUs <= nowUs)
  return passUs === undefined || passUs <= payment.updatedAtUs ? payment : { ...payment, updatedAtUs: passUs }
}

function passAfter(view: View, atUs: InstantUs): InstantUs {
  const begunUs = Math.floor(atUs / PASS_EVERY_US) * PASS_EVERY_US
  return begunUs + view.ids.of('background-pass', begunUs / PASS_EVERY_US).below(SECOND_US)
}

/** The service prints no zone; which one it means is the assumption `timestamp-zone`. */
export function localInstant(view: View, atUs: InstantUs): string {
  return formatInstant(atUs + (chosen(view)['timestamp-zone'] === 'nairobi' ? kenya.zone.offsetUs : 0))
}

export function localDate(view: View, atUs: InstantUs): string {
  return localInstant(view, atUs).slice(0, 10)
}

/** Nested in mobile money, till, paybill and STK records. Specified; key order published. */
export function summaryOf({ view, payment }: { view: View; payment: Pick<Payment, 'organisationId'> }) {
  const organisation = view.store.organisations.byId(payment.organisationId)
  return {
    id: organisation.id,
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    ...timestamps(view, organisation, 'six-digits'),
  }
}

export function parentSummary(view: View, id: number) {
  const parent = view.store.organisations.byId(id)
  return { uuid: parent.uuid, name: parent.name, parent: isParent(view, parent) }
}

/** A sub-account is no parent (specified). */
export function isParent(view: View, { id, parentId }: Organisation): boolean {
  return parentId === null && view.store.organisations.hasChildren(id)
}
