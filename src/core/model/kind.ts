/** One kind of payment. The core asks the kind and never compares names, so a new kind needs no change in the core. */

import type * as cel from '@marcbachmann/cel-js'
import type * as re2 from 're2js'
import type { AnyStateMachine } from 'xstate'
import type * as yaml from 'yaml'
import type * as z from 'zod'
import type { AssumptionRegistry, Assumptions } from './assumption.ts'
import { type Chance, UPPER_ALPHANUMERIC } from './chance.ts'
import type { Countries } from './country.ts'
import type { Directory } from './directory.ts'
import { type Currency, toMinor } from './money.ts'
import type { JsonObject, Organisation, Payment } from './payment.ts'
import { didYouMean, quote } from './problems.ts'
import type { Reason } from './refusal.ts'
import { numberOf } from './text.ts'
import { type DurationUs, type InstantUs, SECOND_US } from './time.ts'

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
  /** `used`: the reason whose assumption decides about a reference that was used before. */
  readonly reference?: { field: string; used: Reason }
  opening?(view: View, request: Request): JsonObject
  outcome?(view: View, payment: Payment<Request>): JsonObject
  record?(view: View, payment: Payment<Request>): object
  readonly callback?: KindCallback<Request>
  readonly prompt?: KindPrompt<Request>
  readonly page?: KindPage<Request>
}

export function moneyIn(kind: Kind, request: JsonObject): { currency: Currency; amountMinor: number } {
  return { currency: kind.currencyIn(request), amountMinor: toMinor(numberOf(request['amount'])) ?? 0 }
}

export function pluralOf(kinds: readonly Kind[]): string {
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

// The service as the core sees it. It is passed in, so that the core imports no service.

export interface ServiceOperation {
  id: string
  method: string
  path: string
  auth: 'bearer' | 'none'
  only?: { assumption: string; is: string }
  opens?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
}

export interface Service {
  readonly kinds: Kinds
  readonly countries: Countries
  readonly assumptions: AssumptionRegistry
  readonly operations: readonly ServiceOperation[]
  /** Says what a code must be that no request can send: `must be 00 and digits`. */
  bankCodeProblem(code: string, assumptions: Assumptions): string | undefined
}

/** `dyn`: whatever the caller sent, since nothing checked it. */
export type FieldType = 'string' | 'double' | 'bool' | 'list<string>' | 'google.protobuf.Timestamp' | 'dyn'
export type Fields = Readonly<Record<string, FieldType>>

/** Loaded on first use: a start that finds its scenario compiled needs none, and takes a fifth less processor time. */
export interface Libraries {
  yaml(): typeof yaml
  cel(): typeof cel
  re2(): typeof re2
}

// Everything that code needs to present a record. A world's core implements it.

export interface View {
  readonly store: {
    readonly organisations: {
      byId(id: number): Organisation
      byUuid(uuid: string): Organisation | undefined
      hasChildren(parentId: number): boolean
    }
  }
  readonly ids: Chance
  readonly clock: { now(): InstantUs }
  readonly scenario: {
    readonly assumptions: Assumptions
    readonly directory: Directory
  }
}

export function receiptOf({ ids }: Pick<View, 'ids'>, { seq }: Pick<Payment, 'seq'>): string {
  return `S${ids.of('receipt', seq).text(9, UPPER_ALPHANUMERIC)}`
}

// The other party of a payment, in one spelling, so that counts and filters find all of its payments.

export function partyOf(kind: Kind, request: JsonObject): string | null {
  const written = kind.party === null ? undefined : request[kind.party.field]
  return typeof written === 'string' && written !== '' ? partyText(kind, written) : null
}

export function partyText({ party }: Kind, written: string): string {
  return party?.spelled?.(written) ?? written
}

// Checks values that `with` sets in the record. Null always fits.

export const LONGEST_FIELD = 1000

export function unknownField({ fields, phrase }: Kind, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined
  const known = Object.keys(fields)
  const possible = known.length > 0 ? `Possible: ${known.join(', ')}.` : 'It has none: remove with.'
  return `${quote(name)} is not a field that the end of ${phrase} sets. ${possible}${didYouMean(name, known)}`
}

export function fieldMismatch(type: RecordField, value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'string' && value.length > LONGEST_FIELD) return `at most ${LONGEST_FIELD} characters`
  if (type === 'text') return typeof value === 'string' ? undefined : 'a text (put it in quotes)'
  if (type === 'any') return typeof value === 'string' || typeof value === 'number' ? undefined : 'a text or a number'
  if (typeof value !== 'number') return type === 'integer' ? 'a whole number' : 'an amount'
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'a whole number'
  return value >= 0 ? undefined : 'an amount that is not negative'
}

/** A dismissed prompt disappears after this time. Assumed. */
export const PROMPT_LASTS_US: DurationUs = 60 * SECOND_US

export const promptWaits = ['settle', 'prompt', 'unanswered'] as const

/** No prompt for a card: its payer is challenged on the page. */
export function isPrompt({ prompt }: Kind, { status, details }: Payment): boolean {
  return status === prompt?.status && details['challenge'] === undefined
}

export function isIgnored({ history }: Payment): boolean {
  return history.at(-1)?.event === 'ignore'
}

export function isHeld({ history }: Payment): boolean {
  return history.at(-1)?.event === 'hold'
}

export function askedAtUs({ prompt }: Kind, { history, createdAtUs }: Payment): number {
  const came = history.findLast(({ status }, i) => status === prompt?.status && history[i - 1]?.status !== status)
  return came?.atUs ?? createdAtUs
}

export const promptAnswers = ['approve', 'cancel', 'wrong-pin', 'ignore'] as const
export type PromptAnswer = (typeof promptAnswers)[number]
