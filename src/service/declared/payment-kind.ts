import type * as z from 'zod'
import type { Kind, KindCallback, PartyField, RecordField } from '../../core/model/kind.ts'
import { textOf } from '../../core/model/text.ts'
import type { Asked, Operation } from '../../http/operation.ts'
import { chosen, reason } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import type { Collection, ServiceWebhook } from '../parts.ts'
import { type OperationsOf, operationsOf, type Served } from './operations.ts'
import type { PaymentRecord } from './record.ts'

export interface ServedKind<Request = unknown> extends Kind<Request> {
  readonly operations: readonly Operation[]
  readonly webhook?: ServiceWebhook
  readonly collections?: readonly Collection[]
}

type Told<Request> = Omit<KindCallback<Request>, 'schema' | 'body' | 'to'> & {
  /** Without it, the address that the request named. */
  readonly to?: 'organisation'
  readonly record: Pick<PaymentRecord<Request>, 'schema' | 'show'>
}

/** Typed by the schema, so that its methods know the fields of `payment.request`. */
type Definition<Schema extends z.ZodObject> = Omit<
  ServedKind<z.output<Schema>>,
  'request' | 'party' | 'currencyIn' | 'operations' | 'record' | 'fields' | 'callback'
> &
  Served<z.output<Schema>> & {
    readonly request: Schema
    readonly party: Omit<PartyField, 'spelled'> | null
    readonly currency?: string
    readonly callback?: Told<z.output<Schema>>
    /** Fields that `with:` may set and the record does not show. */
    readonly beyondRecord?: Readonly<Record<string, RecordField>>
    operations(declare: OperationsOf<z.output<Schema>>, kind: Kind<z.output<Schema>>): readonly Operation[]
  }

export function kind<Schema extends z.ZodObject>(definition: Definition<Schema>): ServedKind<z.output<Schema>> {
  const { tag, base, noun, message, status, operations, currency, party, record, beyondRecord, callback, ...rest } =
    definition
  const made: Kind<z.output<Schema>> = {
    ...rest,
    ...(record && { record: record.show }),
    ...(callback && { callback: toldOf(callback) }),
    fields: { ...record?.settable, ...beyondRecord },
    party: party?.type === 'phone' ? { ...party, spelled: (phone) => countries.internationalPhone(phone) } : party,
    currencyIn: (request) =>
      (currency !== undefined && countries.currencyOf(textOf(request[currency]))) || countries.home.currency,
  }
  return { ...made, operations: operations(operationsOf(made, definition), made) }
}

function toldOf<Request>({ record, to, ...rest }: Told<Request>): KindCallback<Request> {
  return { ...rest, to: to ?? 'request', schema: record.schema, body: record.show }
}

export const callerIsSubAccount = reason(
  'caller',
  'AUTH_FORBIDDEN',
  'a sub-account calls an operation of a parent',
  'convention: a sub-account that calls an operation of a parent',
)
export const subscriptionNeeded = reason(
  'caller',
  'AUTH_FORBIDDEN',
  'sub-accounts are used without an active subscription',
  'subscription-required',
  'yes',
)

export function requireParent({ caller, refuse }: Asked<typeof callerIsSubAccount>): void {
  if (caller.parentId === null) return
  throw refuse(callerIsSubAccount, `only a parent organisation may do this, and "${caller.name}" is a sub-account`)
}

export function requireSubscription({ core, caller, refuse }: Asked<typeof subscriptionNeeded>): void {
  if (chosen(core)['subscription-required'] === 'no') return
  if (core.store.organisations.subscription(caller.parentId ?? caller.id)?.active) return
  throw refuse(
    subscriptionNeeded,
    'sub-accounts need an active subscription; POST /api/sandbox/v1/multiaccount/subscribe first',
  )
}
