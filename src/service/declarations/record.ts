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
import {
  closedObject,
  constant,
  type FieldGround,
  type Grounds,
  localTimestamp,
  recordUuid,
  schemaField,
} from '../fields.ts'

type Constant = string | number | null

/** Schemas of fields are made when they are first needed, because a start prints no contract. */
interface Form {
  schema(): z.ZodType
  set?: RecordField
  grounds?: Grounds
  words?: z.GlobalMeta
  /** How a constant is known that stands there unless a rule changes it; or another such value, or its beginning. */
  usual?: FieldGround | readonly [value: Constant, ground: FieldGround]
  basis?: Basis
}

export const ofText = { schema: () => z.string(), set: 'text' } as const satisfies Form
export const textOrNull = { schema: () => z.string().nullable(), set: 'text' } as const satisfies Form
export const integer = { schema: () => z.int(), set: 'integer' } as const satisfies Form
export const decimal = { schema: () => z.number(), set: 'amount' } as const satisfies Form
export const yesOrNo = { schema: () => z.boolean() } as const satisfies Form

export interface RecordSource<Request> {
  view: View
  payment: Payment<Request>
  request: Request
  details: JsonObject
}

/** `of`: the subject that a part shows. */
interface Of<Subject> {
  view: View
  of: Subject
}

type Value<Source> = (shown: Source, name: string) => unknown

interface Field<Source, Named = never> {
  schema(): z.ZodType
  /** A name: as the payment has it. Undefined: as the request or the subject has it, by the name of the field. */
  value: Value<Source> | Named | undefined
  set?: RecordField
}

function fieldsOf<Source extends { view: View }, Named = never>(ofAll: Basis, stamped: (shown: Source) => Stamped) {
  /** Without `value`: as it was sent, or as the subject has it. */
  function field(description: string, form: Form, value?: Value<Source> | Constant): Field<Source, Named> {
    const { schema, grounds, words, usual: ofUsual, basis = ofAll } = form
    return {
      schema: () => {
        const made = schemaField(basis, description, schema(), grounds, words)
        if (ofUsual === undefined) return made
        if (typeof ofUsual !== 'string') return constant(made, ...ofUsual)
        if (typeof value === 'function' || value === undefined)
          throw new Error(`A defect of mfano: no constant stands for "${description}".`)
        return constant(made, value, ofUsual)
      },
      value: typeof value === 'function' || value === undefined ? value : () => value,
    }
  }

  function shared(schema: z.ZodType, value?: Value<Source> | Named): Field<Source, Named> {
    return { schema: () => schema, value }
  }

  function times(form: TimestampForm, of = stamped, schema: z.ZodType = localTimestamp) {
    const at = (name: 'createdAt' | 'updatedAt') =>
      shared(schema, (shown) => timestamp(shown.view, of(shown), name, form))
    return { createdAt: at('createdAt'), updatedAt: at('updatedAt') }
  }

  return { field, shared, times }
}

export type Fields<Request> = ReturnType<typeof fieldsOfRecord<Request>>
type RecordedField<Request> = Field<RecordSource<Request>, keyof Payment>

function fieldsOfRecord<Request>(basis: Basis) {
  const fields = fieldsOf<RecordSource<Request>, keyof Payment>(basis, ({ payment }) => payment)

  /** A field that `with:` may set, and otherwise `value`. */
  function settable(
    description: string,
    form: Form & { set: RecordField },
    value: Value<RecordSource<Request>> | Constant,
  ): RecordedField<Request> {
    const unset = typeof value === 'function' ? value : () => value
    const setOrUnset: Value<RecordSource<Request>> = (shown, name) => shown.details[name] ?? unset(shown, name)
    return { ...fields.field(description, form, value), value: setOrUnset, set: form.set }
  }

  const owner = fields.shared(organisationSummary.schema, ({ view, payment }) =>
    organisationSummary.show(view, view.store.organisations.byId(payment.organisationId)),
  )

  return { ...fields, settable, owner }
}

export interface PaymentRecord<Request> {
  schema: z.ZodObject
  settable: Readonly<Record<string, RecordField>>
  show(view: View, payment: Payment<Request>): Record<string, unknown>
}

export function record<Request>(
  id: string,
  basis: Basis,
  declared: (fields: Fields<Request>) => Readonly<Record<string, RecordedField<Request>>>,
): PaymentRecord<Request> {
  const fields = Object.entries(declared(fieldsOfRecord<Request>(basis)))
  const settable = fields.flatMap(([name, { set }]) => (set ? [[name, set] as const] : []))
  return {
    schema: closedObject(() => Object.fromEntries(fields.map(([name, { schema }]) => [name, schema()]))).meta({
      id,
      'x-basis': basis,
    }),
    settable: Object.fromEntries(settable),
    show: (view, payment) => {
      const { request, status } = payment
      const isHidden = status === 'FAILED' && chosen(view)['failure-codes'] !== 'told'
      const shown = { view, payment, request, details: isHidden ? withoutFailure(payment.details) : payment.details }
      const sent = request as Readonly<Record<string, unknown>>
      const made: Record<string, unknown> = {}
      for (const [name, { value }] of fields)
        made[name] =
          typeof value === 'function' ? value(shown, name) : value === undefined ? sent[name] : payment[value]
      return made
    },
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

export type PartFields<Subject> = ReturnType<typeof fieldsOf<Of<Subject>>>

export function part<Subject>(
  meta: z.GlobalMeta & { 'x-basis': Basis },
  declared: (fields: PartFields<Subject>) => Readonly<Record<string, Field<Of<Subject>>>>,
) {
  const fields = Object.entries(declared(fieldsOf(meta['x-basis'], ({ of }) => of as Subject & Stamped)))
  return {
    schema: closedObject(() => Object.fromEntries(fields.map(([name, { schema }]) => [name, schema()]))).meta(meta),
    show(view: View, of: Subject): Record<string, unknown> {
      const own = of as Readonly<Record<string, unknown>>
      return Object.fromEntries(
        fields.map(([name, { value }]) => [name, value ? value({ view, of }, name) : own[name]]),
      )
    },
  }
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
export function touched<Request>({ view, payment }: RecordSource<Request>): Payment<Request> {
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
const organisationSummary = part<Organisation>(
  { id: 'OrganisationSummary', 'x-basis': 'specified' },
  ({ field, shared, times }) => ({
    id: field('Counted per kind of record.', integer),
    uuid: shared(recordUuid('specified', 'The organisation.')),
    name: field('Its name.', ofText),
    phoneNumber: field('Its phone number, 10 to 13 digits in samples.', ofText),
    email: field('Its e-mail address.', ofText),
    uniqueReference: field('Seven digits; a fresh sub-account shows ten.', ofText),
    ...times('six-digits'),
  }),
)

export const parentOrganisation = part<Organisation>(
  { id: 'ParentOrganisation', 'x-basis': 'specified' },
  ({ field }) => ({
    uuid: field('The organisation.', ofText),
    name: field('Its name.', ofText),
    parent: field('It has sub-accounts.', yesOrNo, ({ view, of }) => isParent(view, of)),
  }),
)

export function parentOf(view: View, { parentId }: Organisation) {
  return parentId === null ? null : parentOrganisation.show(view, view.store.organisations.byId(parentId))
}

/** A sub-account is no parent (specified). */
export function isParent(view: View, { id, parentId }: Organisation): boolean {
  return parentId === null && view.store.organisations.hasChildren(id)
}
