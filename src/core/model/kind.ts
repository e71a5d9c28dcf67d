/** One kind of payment. The core asks the kind and never compares names, so a new kind needs no change in the core. */
import type { AnyStateMachine } from 'xstate'
import type * as z from 'zod'
import { numberOf } from './as-text.ts'
import type { Assumptions } from './assumption.ts'
import { type Currency, toMinor } from './money.ts'
import type { JsonObject, Payment } from './payment.ts'
import type { Reason } from './refusal-reasons.ts'
import type { View } from './view.ts'

export type Direction = 'out' | 'in' | 'between' | 'none'

export interface PartyField {
  type: 'phone' | 'business' | 'account'
  field: string
  bank?: string
  name?: string
  spelled?(written: string): string
}

export type RecordField = 'text' | 'integer' | 'amount' | 'any'

export interface KindCallback<Request> {
  schema: z.ZodObject
  body(view: View, payment: Payment<Request>): object
  to: 'request' | 'organisation'
  unless?: { assumption: string; is: string }
  withoutStatus?: true
  /** Always sent only at the end, because its body cannot say that a payment is pending. */
  finalOnly?: true
}

export function isUnsent({ unless }: Pick<KindCallback<never>, 'unless'>, assumptions: Assumptions): boolean {
  return unless !== undefined && assumptions[unless.assumption] === unless.is
}

export type PromptFailure = 'cancelled' | 'wrong-pin' | 'insufficient-funds' | 'unanswered'

export interface KindPrompt<Request> {
  status: string
  approve: string
  failed(failure: PromptFailure): JsonObject
  reference(view: View, payment: Payment<Request>): string | null
}

export interface PageDetails {
  methods: readonly string[]
  phone: string | undefined
  description: string
  reference: string | undefined
  successUrl: string
  cancelUrl: string
}

export interface KindPage<Request> {
  details(request: Request): PageDetails
  url(view: View, payment: Payment<Request>, baseUrl: string): string
  seqOf(view: View, token: string): number | undefined
  publicRef(view: View, payment: Payment<Request>): string
}

// biome-ignore lint/suspicious/noExplicitAny: a list of kinds holds all request types
export interface Kind<Request = any> {
  readonly name: string
  /** For sentences: `a till payment`. */
  readonly phrase: string
  readonly direction: Direction
  readonly machine: AnyStateMachine
  readonly request: z.ZodObject
  /** Works before validation. Without a currency in the request, that of the home country. */
  currencyIn(request: JsonObject): Currency
  readonly party: PartyField | null
  readonly ends: readonly [string, ...string[]]
  readonly notEnds?: Readonly<Record<string, string>>
  readonly failure?: { code?: string; text?: string; words?: Readonly<Record<string, string>> }
  readonly refusedAtOnce?: { failure: string; reason: Reason }
  readonly fields: Readonly<Record<string, RecordField>>
  /** Fields that no answer shows. They only give mfano's own reason of an end. */
  readonly unshown?: readonly string[]
  /** `used`: the reason whose assumption decides about a reference that was used before. */
  readonly reference?: { field: string; used: Reason }
  opening?(view: View, request: Request): JsonObject
  outcome?(view: View, payment: Payment<Request>): JsonObject
  record?(view: View, payment: Payment<Request>): object
  readonly callback?: KindCallback<Request>
  readonly prompt?: KindPrompt<Request>
  readonly page?: KindPage<Request>
}

export function moneyIn(
  kind: Pick<Kind, 'currencyIn'>,
  request: JsonObject,
): { currency: Currency; amountMinor: number } {
  return { currency: kind.currencyIn(request), amountMinor: toMinor(numberOf(request['amount'])) ?? 0 }
}

export function pluralOf(kinds: readonly Pick<Kind, 'phrase'>[]): string {
  return kinds.map(({ phrase }) => `${phrase.replace(/^an? /, '')}s`).join(' and ')
}

export class Kinds implements Iterable<Kind> {
  readonly #byName: ReadonlyMap<string, Kind>

  constructor(kinds: Iterable<Kind>) {
    const list = [...kinds]
    this.#byName = new Map(list.map((kind) => [kind.name, kind]))
    if (this.#byName.size < list.length) throw new Error('Two kinds of payment have the same name')
  }

  [Symbol.iterator](): Iterator<Kind> {
    return this.#byName.values()
  }

  get names(): string[] {
    return [...this.#byName.keys()]
  }

  of(name: string): Kind {
    const kind = this.#byName.get(name)
    if (!kind) throw new Error(`This service has no kind of payment "${name}". It has ${this.names.join(', ')}`)
    return kind
  }

  find(name: string): Kind | undefined {
    return this.#byName.get(name)
  }

  filter(wanted: (kind: Kind) => boolean): Kind[] {
    return [...this].filter(wanted)
  }
}
