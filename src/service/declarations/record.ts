/**
 * Declares answers and callbacks: a field is one line, from which come its schema, its value, the contract, and what
 * `with:` may set. A record shows a payment, a part anything else.
 */
import * as z from 'zod'
import { MINUTE_US } from '../../core/model/calendar.ts'
import type { RecordField, View } from '../../core/model/kind.ts'
import type { JsonObject, Organisation, Payment } from '../../core/model/payment.ts'
import { formatInstant, type InstantUs, SECOND_US } from '../../core/model/time.ts'
import type { Basis } from '../../http/json-schema.ts'
import { chosen } from '../assumptions/assumptions.ts'
import { kenya } from '../countries/countries.ts'
import { closedObject, constant, type FieldGround, type Grounds, localTimestamp, schemaField, uuid } from '../fields.ts'

type Constant = string | number | null

interface Form {
  schema: z.ZodType
  set?: RecordField
  grounds?: Grounds
  words?: z.GlobalMeta
  /** How a constant is known that stands there unless a rule changes it; or another such value, or its beginning. */
  usual?: FieldGround | readonly [value: Constant, ground: FieldGround]
}

export const form = {
  text: { schema: z.string(), set: 'text' },
  textOrNull: { schema: z.string().nullable(), set: 'text' },
  integer: { schema: z.int(), set: 'integer' },
  decimal: { schema: z.number(), set: 'amount' },
  yesOrNo: { schema: z.boolean() },
} as const satisfies Record<string, Form>

/** `of`: the subject that a part shows. */
export interface Of<Subject> {
  view: View
  of: Subject
}

export interface RecordSource<Request> extends Of<Payment<Request>> {
  payment: Payment<Request>
  request: Request
  details: JsonObject
}

type Value<Source> = (shown: Source, name: string) => unknown

interface Field<Source> {
  /** Made when it is first needed, because a start prints no contract. */
  schema(ofAll: Basis): z.ZodType
  /** A name: as the payment has it. Undefined: as the request or the subject has it, by the name of the field. */
  value: Value<Source> | keyof Payment | undefined
  set?: RecordField
}

export type PartFields<Subject> = Readonly<Record<string, Field<Of<Subject>>>>
export type RecordFields<Request> = Readonly<Record<string, Field<RecordSource<Request>>>>

/** Without `value`: as it was sent, or as the subject has it. */
export function field<Source>(
  description: string,
  { schema, grounds, words, usual }: Form,
  value?: Value<Source> | Constant,
): Field<Source> {
  return {
    schema: (ofAll) => {
      const made = schemaField(ofAll, description, schema, grounds, words)
      if (usual === undefined) return made
      if (typeof usual !== 'string') return constant(made, ...usual)
      if (typeof value === 'function' || value === undefined)
        throw new Error(`A defect of mfano: no constant stands for "${description}".`)
      return constant(made, value, usual)
    },
    value: typeof value === 'function' || value === undefined ? value : () => value,
  }
}

/** A field that `with:` may set, and otherwise `value`. */
export function settable<Request>(
  description: string,
  ofForm: Form & { set: RecordField },
  value: Value<RecordSource<Request>> | Constant,
): Field<RecordSource<Request>> {
  const unset = typeof value === 'function' ? value : () => value
  const setOrUnset: Value<RecordSource<Request>> = (shown, name) => shown.details[name] ?? unset(shown, name)
  return { ...field(description, ofForm, value), value: setOrUnset, set: ofForm.set }
}

export function shared<Source>(schema: z.ZodType, value?: Field<Source>['value']): Field<Source> {
  return { schema: () => schema, value }
}

export function times<Source extends Of<Stamped>>(
  form: TimestampForm,
  stamped: (shown: Source) => Stamped = ({ of }) => of,
  schema: z.ZodType = localTimestamp,
) {
  const at = (name: 'createdAt' | 'updatedAt') =>
    shared<Source>(schema, (shown) => timestamp(shown.view, stamped(shown), name, form))
  return { createdAt: at('createdAt'), updatedAt: at('updatedAt') }
}

function objectOf(
  fields: Readonly<Record<string, Pick<Field<never>, 'schema'>>>,
  basis: Basis,
  id: string | null,
): z.ZodObject {
  const schemas = () => Object.entries(fields).map(([name, { schema }]) => [name, schema(basis)])
  const object = closedObject(() => Object.fromEntries(schemas()))
  return id === null ? object : object.meta({ id, 'x-basis': basis })
}

export interface PaymentRecord<Request> {
  schema: z.ZodObject
  settable: Readonly<Record<string, RecordField>>
  show(view: View, payment: Payment<Request>): Record<string, unknown>
}

export function record<Request>(id: string, basis: Basis, declared: RecordFields<Request>): PaymentRecord<Request> {
  const settable = Object.entries(declared).flatMap(([name, { set }]) => (set ? [[name, set] as const] : []))
  const valuesOf = valuesBy(declared)
  return {
    schema: objectOf(declared, basis, id),
    settable: Object.fromEntries(settable),
    show: (view, payment) => {
      const { request, status } = payment
      const isHidden = status === 'FAILED' && chosen(view)['failure-codes'] !== 'told'
      const details = isHidden ? withoutFailure(payment.details) : payment.details
      return valuesOf({ view, of: payment, payment, request, details }, request)
    },
  }
}

/** `own`: has the values of the fields that are named as they are there. */
function valuesBy<Source extends Of<unknown>>(declared: Readonly<Record<string, Field<Source>>>) {
  const fields = Object.entries(declared)
  return (shown: Source, own: unknown): Record<string, unknown> => {
    const subject = shown.of as Readonly<Record<string, unknown>>
    const named = own as Readonly<Record<string, unknown>>
    const made: Record<string, unknown> = {}
    for (const [name, { value }] of fields)
      made[name] = typeof value === 'function' ? value(shown, name) : value === undefined ? named[name] : subject[value]
    return made
  }
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
function withoutFailure(details: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !FAILURE_FIELDS.includes(name)))
}

export function part<Subject>(id: string | null, basis: Basis, declared: PartFields<Subject>) {
  const valuesOf = valuesBy(declared)
  return { schema: objectOf(declared, basis, id), show: (view: View, of: Subject) => valuesOf({ view, of }, of) }
}

/**
 * Forms of the published samples, for `as-published`. Seven or more digits come from answers that are made before
 * storage cuts to microseconds.
 */
export type TimestampForm = 'six-digits' | 'zeros-dropped' | 'eight-digits' | 'nine-digits'

interface Stamped {
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

function timestamp(view: View, stamped: Stamped, name: 'createdAt' | 'updatedAt', form: TimestampForm): string {
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
    ? micros + String(nanos.below(100)).padStart(2, '0')
    : micros + String(nanos.below(1000)).padStart(3, '0')
}

function withoutZeros(instant: string): string {
  return instant.replace(/(\.\d+?)0+$/, '$1')
}

/**
 * The service updates waiting payments in the background. Assumed: every minute, because the sample was updated at
 * 12:08:00.
 */
export const PASS_EVERY_US = MINUTE_US

/** Sets `updatedAt` as the background pass would, of which the samples of some kinds show traces. */
export function touched({ view, of: payment }: Of<Payment<unknown>>): Stamped {
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
const organisationSummary = part<Organisation>('OrganisationSummary', 'specified', {
  id: field('Counted per kind of record.', form.integer),
  uuid: shared(uuid('specified', 'The organisation.')),
  name: field('Its name.', form.text),
  phoneNumber: field('Its phone number, 10 to 13 digits in samples.', form.text),
  email: field('Its e-mail address.', form.text),
  uniqueReference: field('Seven digits; a fresh sub-account shows ten.', form.text),
  ...times('six-digits'),
})

/** The organisation of a payment, in its record. */
export const owner = shared<Of<Payment<unknown>>>(organisationSummary.schema, ({ view, of }) =>
  organisationSummary.show(view, view.store.organisations.byId(of.organisationId)),
)

export const parentOrganisation = part<Organisation>('ParentOrganisation', 'specified', {
  uuid: field('The organisation.', form.text),
  name: field('Its name.', form.text),
  parent: field('It has sub-accounts.', form.yesOrNo, ({ view, of }) => isParent(view, of)),
})

export function parentOf(view: View, { parentId }: Organisation) {
  return parentId === null ? null : parentOrganisation.show(view, view.store.organisations.byId(parentId))
}

/** A sub-account is no parent (specified). */
export function isParent(view: View, { id, parentId }: Organisation): boolean {
  return parentId === null && view.store.organisations.hasChildren(id)
}
