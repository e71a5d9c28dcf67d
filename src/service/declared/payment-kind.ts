/** How the kinds of this service are written: all that the core asks, and the operations on the wire. */
import type * as z from 'zod'
import { textOf } from '../../core/model/as-text.ts'
import type { Kind, PartyField } from '../../core/model/kind.ts'
import type { Operation } from '../../http/operation.ts'
import { countries } from '../countries/countries.ts'
import type { Collection, Webhook } from '../parts.ts'

/** An operation that is yet to be told which kind it belongs to. */
export type OfKind = (kind: Kind) => Operation

/** A kind with its operations. */
export interface ServedKind<Request = unknown> extends Kind<Request> {
  readonly operations: readonly Operation[]
  /** The callback in the contract, where no operation of a merchant leads to it. */
  readonly webhook?: Webhook
  /** How customers make one by themselves. */
  readonly collections?: readonly Collection[]
}

/** What defines a kind. Its methods know what its requests hold: `payment.request` has their fields. */
type Definition<Schema extends z.ZodObject> = Omit<
  ServedKind<z.output<Schema>>,
  'request' | 'party' | 'currencyIn' | 'operations'
> & {
  readonly request: Schema
  readonly party: Omit<PartyField, 'spelled'> | null
  /** The field of the request that names the currency; without, it is that at home. */
  readonly currency?: string
  readonly operations: readonly OfKind[]
}

/** A kind of payment from its definition. */
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
