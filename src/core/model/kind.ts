/** What a service says about one kind of payment. The core asks a kind, and never tells kinds apart. */
import type { AnyStateMachine } from 'xstate'
import type * as z from 'zod'
import { numberOf } from './as-text.ts'
import type { Assumptions } from './assumption.ts'
import { type Currency, toMinor } from './money.ts'
import type { JsonObject, Payment } from './payment.ts'
import type { RefusalReason } from './refusal-reasons.ts'
import type { View } from './view.ts'

/** Which way the money goes, seen from the wallet of the organisation; `between`: from one wallet to another. */
export type Direction = 'out' | 'in' | 'between' | 'none'

/** Whom a payment is with, and the field of its request that names them. */
export interface PartyField {
  type: 'phone' | 'business' | 'account'
  field: string
  /** Of an account: the field that names its bank. */
  bank?: string
  /** The field of the request, or of the record, with their name. */
  name?: string
  /** The one spelling of those who can be written in several; as it is written when left out. */
  spelled?(written: string): string
}

/** What a field of the record takes, where a rule sets it. */
export type RecordField = 'text' | 'integer' | 'amount' | 'any'

/** How the merchant is told of a payment. */
export interface KindCallback<Request> {
  body(view: View, payment: Payment<Request>): object
  /** Where it goes: where the request wants it, or where the organisation has all of them. */
  to: 'request' | 'organisation'
  /** None are sent while an assumption has this value. */
  unless?: { assumption: string; is: string }
  /** Its body has no status. */
  withoutStatus?: true
  /** Its body has no word for a payment that is still under way: only the end is told, whatever `final-callback` says. */
  finalOnly?: true
}

/** Whether callbacks of a kind are not sent under these assumptions. */
export function isUnsent({ unless }: Pick<KindCallback<never>, 'unless'>, assumptions: Assumptions): boolean {
  return unless !== undefined && assumptions[unless.assumption] === unless.is
}

/** How a prompt on a phone went wrong. */
export type PromptFailure = 'cancelled' | 'wrong-pin' | 'insufficient-funds' | 'unanswered'

/** A prompt on the phone of the party, which its holder approves or declines. */
export interface KindPrompt<Request> {
  /** The state in which the phone shows it. */
  status: string
  /** The event of an approval. */
  approve: string
  /** Fields that a failure sets. */
  failed(failure: PromptFailure): JsonObject
  /** What the phone shows as the reference. */
  reference(view: View, payment: Payment<Request>): string | null
}

/** What a request says of the page on which its customer pays. */
export interface PageDetails {
  /** Ways to pay that it offers. */
  methods: readonly string[]
  /** The phone that pays unless another is entered. */
  phone: string | undefined
  description: string
  reference: string | undefined
  /** Where the customer goes afterwards. */
  successUrl: string
  cancelUrl: string
}

/** A hosted page on which a customer pays. */
export interface KindPage<Request> {
  details(request: Request): PageDetails
  /** The address of a session. `baseUrl`: the world's, as the caller reaches it. */
  url(view: View, payment: Payment<Request>, baseUrl: string): string
  /** The payment that the last part of such an address names, by its order; undefined when there is none. */
  seqOf(view: View, token: string): number | undefined
  /** An id that is told to the merchant and stands in no record. */
  publicRef(view: View, payment: Payment<Request>): string
}

/** One kind of payment. `Request`: its request as validated. */
// biome-ignore lint/suspicious/noExplicitAny: a list of kinds holds all request types
export interface Kind<Request = any> {
  /** The name in scenarios, the control plane and the ledger. */
  readonly name: string
  /** As a sentence names one payment of this kind: `a till payment`. */
  readonly phrase: string
  readonly direction: Direction
  /** What may happen next. */
  readonly machine: AnyStateMachine
  /** The request that makes one; conditions can ask about its fields. */
  readonly request: z.ZodObject
  /** The currency that a request names, checked or not; that at home where it names none. */
  currencyIn(request: JsonObject): Currency
  /** Null where a payment is with nobody. */
  readonly party: PartyField | null
  /** The states that a rule can end it in; the first is the good one. */
  readonly ends: readonly [string, ...string[]]
  /** Words that are taken for an end, and what is so instead. */
  readonly notEnds?: Readonly<Record<string, string>>
  /** Fields of the record in which the rail says why it failed, its code and its words; what codes without words mean. */
  readonly failure?: { code?: string; text?: string; words?: Readonly<Record<string, string>> }
  /** A failure that may be a refusal instead: the code that a rule gives it, and the assumption that says when it is told. */
  readonly refusedAtOnce?: { failure: string; reason: RefusalReason; when: string }
  /** Fields of the record that an end may set. */
  readonly fields: Readonly<Record<string, RecordField>>
  /** The field with the caller's own reference, and the assumption that says what a repeated one does. */
  readonly reference?: { field: string; repeated: string }
  /** What the record holds from the beginning besides the request. */
  opening?(view: View, request: Request): JsonObject
  /** What the rail reports with a good end; the plan's own words come on top. */
  outcome?(view: View, payment: Payment<Request>): JsonObject
  /** The record as the service's own read gives it; left out where the service has none. */
  record?(view: View, payment: Payment<Request>): object
  /** Left out where nobody is told. */
  readonly callback?: KindCallback<Request>
  /** Left out where no phone asks anybody. */
  readonly prompt?: KindPrompt<Request>
  /** Left out where nobody pays on a page. */
  readonly page?: KindPage<Request>
}

/** The currency and amount that a request names, which nobody has checked. */
export function moneyIn(
  kind: Pick<Kind, 'currencyIn'>,
  request: JsonObject,
): { currency: Currency; amountMinor: number } {
  return { currency: kind.currencyIn(request), amountMinor: toMinor(numberOf(request['amount'])) ?? 0 }
}

/** As a sentence names payments of some kinds: `bank collections`. */
export function pluralOf(kinds: readonly Pick<Kind, 'phrase'>[]): string {
  return kinds.map(({ phrase }) => `${phrase.replace(/^an? /, '')}s`).join(' and ')
}

/** The kinds of a service, in its order. */
export class Kinds implements Iterable<Kind> {
  readonly #byName: ReadonlyMap<string, Kind>
  /** That was asked for last: of one payment it is asked many times. */
  #last: readonly [name: string, Kind] | undefined

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

  /** The kind of a name that is known to be one: throws for any other. */
  of(name: string): Kind {
    if (this.#last?.[0] === name) return this.#last[1]
    const kind = this.#byName.get(name)
    if (!kind) throw new Error(`This service has no kind of payment "${name}". It has ${this.names.join(', ')}`)
    this.#last = [name, kind]
    return kind
  }

  /** The kind of a name, if it is one. */
  find(name: string): Kind | undefined {
    return this.#byName.get(name)
  }

  filter(wanted: (kind: Kind) => boolean): Kind[] {
    return [...this].filter(wanted)
  }
}
