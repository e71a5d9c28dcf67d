/**
 * Declares records of payments. A field is one line: schema, value, contract, and what `with:` may set come from it.
 */
import * as z from 'zod'
import type { RecordField, View } from '../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import type { Basis } from '../../http/json-schema.ts'
import { type FieldGround, type Grounds, known, localTimestamp, usual } from '../fields.ts'
import { closedObject } from '../requests/lazy-objects.ts'
import { reported, type TimestampForm, timestamp } from './record-parts.ts'

type Constant = string | number | null

/** Schemas of fields are made when they are first needed, because a start prints no contract. */
interface Form {
  schema(): z.ZodType
  /** The values that `with:` may set. */
  set?: RecordField
  grounds?: Grounds
  words?: z.GlobalMeta
  /** How a constant is known that stands there unless a rule changes it; or another such value, or its beginning. */
  usual?: FieldGround | readonly [value: Constant, ground: FieldGround]
  /** Default: that of the record. */
  basis?: Basis
}

export const ofText = { schema: () => z.string(), set: 'text' } as const satisfies Form
export const textOrNull = { schema: () => z.string().nullable(), set: 'text' } as const satisfies Form
export const integer = { schema: () => z.int(), set: 'integer' } as const satisfies Form
export const decimal = { schema: () => z.number(), set: 'amount' } as const satisfies Form

export interface Shown<Request> {
  view: View
  payment: Payment<Request>
  request: Request
  /** Fields that the end left, or `with:` set. */
  details: JsonObject
}

type Value<Request> = (shown: Shown<Request>, name: string) => unknown

interface Field<Request> {
  schema(): z.ZodType
  value: Value<Request>
  set?: RecordField
}

export type Fields<Request> = ReturnType<typeof fieldsOf<Request>>

function fieldsOf<Request>(ofRecord: Basis) {
  function field(description: string, form: Form, value: Value<Request> | Constant): Field<Request> {
    const { schema, grounds, words, usual: ofUsual, basis = ofRecord } = form
    return {
      schema: () => {
        const made = known(basis, description, schema(), grounds, words)
        if (ofUsual === undefined) return made
        if (typeof ofUsual !== 'string') return usual(made, ...ofUsual)
        if (typeof value === 'function') throw new Error(`A defect of mfano: no constant stands for "${description}".`)
        return usual(made, value, ofUsual)
      },
      value: typeof value === 'function' ? value : () => value,
    }
  }

  /** A field that `with:` may set, and otherwise `value`. */
  function settable(description: string, form: Form & { set: RecordField }, value: Value<Request> | Constant) {
    const unset = field(description, form, value)
    const setOrUnset: Value<Request> = (shown, name) => shown.details[name] ?? unset.value(shown, name)
    return { ...unset, value: setOrUnset, set: form.set }
  }

  /** A field of several records. */
  function shared(schema: z.ZodType, value: Value<Request>): Field<Request> {
    return { schema: () => schema, value }
  }

  function times(form: TimestampForm, seen = (_view: View, payment: Payment<Request>) => payment) {
    const at = (name: 'createdAt' | 'updatedAt') =>
      shared(localTimestamp, ({ view, payment }) => timestamp(view, seen(view, payment), name, form))
    return { createdAt: at('createdAt'), updatedAt: at('updatedAt') }
  }

  return { field, settable, shared, times }
}

export interface PaymentRecord<Request> {
  schema: z.ZodObject
  settable: Readonly<Record<string, RecordField>>
  show(view: View, payment: Payment<Request>): Record<string, unknown>
}

export function record<Request>(
  id: string,
  basis: Basis,
  declared: (fields: Fields<Request>) => Readonly<Record<string, Field<Request>>>,
): PaymentRecord<Request> {
  const fields = Object.entries(declared(fieldsOf<Request>(basis)))
  const settable = fields.flatMap(([name, { set }]) => (set ? [[name, set] as const] : []))
  return {
    schema: closedObject(() => Object.fromEntries(fields.map(([name, { schema }]) => [name, schema()]))).meta({
      id,
      'x-basis': basis,
    }),
    settable: Object.fromEntries(settable),
    show: (view, payment) => {
      const shown = { view, payment, request: payment.request, details: reported(view, payment) }
      return Object.fromEntries(fields.map(([name, { value }]) => [name, value(shown, name)]))
    },
  }
}
