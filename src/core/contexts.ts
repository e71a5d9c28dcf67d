/** The values that conditions on a payment or a request see. Each is made when a condition first asks for it. */
import type { Chance } from './model/chance.ts'
import type { Directory } from './model/directory.ts'
import type { Kind, Kinds } from './model/kind.ts'
import { must } from './model/must.ts'
import type { JsonObject } from './model/payment.ts'
import type { DurationUs, InstantUs } from './model/time.ts'
import type { Facts } from './scenarios/decide/payment-facts.ts'
import { noHistory } from './scenarios/decide/payment-history.ts'
import { timeValues } from './scenarios/language/hours.ts'
import { GIVEN, HISTORY, type ValueClass, type Variable, vocabularyOf } from './vocabulary.ts'

export function contextOf(facts: Facts, directory: Directory, kinds: Kinds): PaymentContext {
  const kind = kinds.of(facts.kind)
  return new PaymentContext(facts, kind, directory, vocabularyOf(kind))
}

export class PaymentContext {
  readonly #facts: Facts
  readonly #kind: Kind
  readonly #directory: Directory
  readonly #variables: ReadonlyMap<string, Variable>
  readonly #made: Record<string, unknown> = {}

  constructor(facts: Facts, kind: Kind, directory: Directory, variables: ReadonlyMap<string, Variable>) {
    this.#facts = facts
    this.#kind = kind
    this.#directory = directory
    this.#variables = variables
  }

  get request() {
    return this.#made['request'] ?? this.#make('request', () => this.#facts.request)
  }
  get [GIVEN]() {
    return this.#made[GIVEN] ?? this.#make(GIVEN, () => this.#facts.request)
  }
  get organisation() {
    return this.#make('organisation', () => this.#facts.organisation)
  }
  get wallet() {
    return this.#make('wallet', () => ({ available: this.#facts.walletAvailable }))
  }
  get payee() {
    return this.#make('payee', () => this.#directory.subscriber(this.#party))
  }
  get payer() {
    return this.#make('payer', () => this.#directory.subscriber(this.#party))
  }
  get account() {
    const bank = text(this.#facts.request, this.#kind.party?.bank)
    return this.#make('account', () => this.#directory.bankAccount(bank, this.#party))
  }
  get business() {
    return this.#make('business', () => this.#directory.business(this.#party))
  }
  get time() {
    return this.#make('time', () => timeValues(this.#facts.nowUs, this.#facts.zoneUs))
  }
  get [HISTORY]() {
    return this.#make(HISTORY, () => this.#facts.history ?? noHistory)
  }
  get now() {
    return new Date(Math.floor(this.#facts.nowUs / 1000))
  }
  get nth() {
    return BigInt(this.#facts.nth)
  }
  get headers() {
    return this.#facts.headers ?? {}
  }

  get #party(): string {
    return text(this.#facts.request, this.#kind.party?.field)
  }

  #make(name: string, look: () => object): unknown {
    const { create } = must(this.#variables.get(name))
    this.#made[name] ??= new (create as ValueClass)(look())
    return this.#made[name]
  }
}

function text(request: JsonObject, field: string | undefined): string {
  const value = field === undefined ? undefined : request[field]
  return typeof value === 'string' ? value : ''
}

export interface RequestFacts {
  operation: { id: string; method: string; path: string }
  request: JsonObject
  organisation: { uuid: string; name: string; parent: boolean } | undefined
  tokenIssuedAtUs: InstantUs | undefined
  headers?: Readonly<Record<string, string>> | undefined
  nowUs: InstantUs
  /** Offset of the service's local time from UTC; 0 by default. */
  zoneUs?: DurationUs
  /** Counts the requests of this operation that faults watched, from 1. */
  nth: number
  matched(fault: string): number
  letThrough(fault: string, window: number): number
  chance: Chance
}

export class RequestContext {
  readonly #facts: RequestFacts
  readonly #variables: ReadonlyMap<string, Variable>

  constructor(facts: RequestFacts, variables: ReadonlyMap<string, Variable>) {
    this.#facts = facts
    this.#variables = variables
  }

  get request() {
    return this.#make('request', this.#facts.request)
  }
  get [GIVEN]() {
    return this.#make(GIVEN, this.#facts.request)
  }
  get organisation() {
    return this.#make('organisation', this.#facts.organisation ?? {})
  }
  get time() {
    return this.#make('time', timeValues(this.#facts.nowUs, this.#facts.zoneUs))
  }
  get now() {
    return new Date(Math.floor(this.#facts.nowUs / 1000))
  }
  get nth() {
    return BigInt(this.#facts.nth)
  }
  get headers() {
    return this.#facts.headers ?? {}
  }

  #make(name: string, values: object): unknown {
    const { create } = must(this.#variables.get(name))
    return new (create as ValueClass)(values)
  }
}
