/** Declares a kind of payment: what the core asks of it, and its operations. */
import type * as z from 'zod'
import { textOf } from '../../core/model/as-text.ts'
import type { Kind, PartyField } from '../../core/model/kind.ts'
import type { Operation } from '../../http/operation.ts'
import { countries } from '../countries/countries.ts'
import type { Collection, ServiceWebhook } from '../parts.ts'

/** Operations need the kind that they belong to, which does not exist yet when they are written. */
export type OfKind = (kind: Kind) => Operation

export interface ServedKind<Request = unknown> extends Kind<Request> {
  readonly operations: readonly Operation[]
  readonly webhook?: ServiceWebhook
  readonly collections?: readonly Collection[]
}

/** Typed by the schema, so that its methods know the fields of `payment.request`. */
type Definition<Schema extends z.ZodObject> = Omit<
  ServedKind<z.output<Schema>>,
  'request' | 'party' | 'currencyIn' | 'operations'
> & {
  readonly request: Schema
  readonly party: Omit<PartyField, 'spelled'> | null
  /** The request's field with the currency. Without it, the home currency. */
  readonly currency?: string
  readonly operations: readonly OfKind[]
}

export function kind<Schema extends z.ZodObject>(definition: Definition<Schema>): ServedKind<z.output<Schema>> {
  const { operations, currency, party, ...rest } = definition
  const made: Kind<z.output<Schema>> = {
    ...rest,
    party: party?.type === 'phone' ? { ...party, spelled: (phone) => countries.internationalPhone(phone) } : party,
    currencyIn: (request) =>
      (currency !== undefined && countries.currencyOf(textOf(request[currency]))) || countries.home.currency,
  }
  return { ...made, operations: operations.map((one) => one(made)) }
}
