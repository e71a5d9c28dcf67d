/** What conditions on a payment or a request see: values made of facts and the directory, each when it is first asked for. */
import type { Chance } from './model/chance.ts'
import type { Directory } from './model/directory.ts'
import type { Kind, Kinds } from './model/kind.ts'
import type { JsonObject } from './model/payment.ts'
import type { DurationUs, InstantUs } from './model/time.ts'
import { noHistory } from './payment-history.ts'
import type { Facts } from './scenarios/decide/payment-facts.ts'
import { timeValues } from './scenarios/language/time-of-day.ts'
import { GIVEN, HISTORY, type ValueClass, type Variable, vocabularyOf } from './vocabulary.ts'

/** What a condition sees of one payment. */
export function contextOf(facts: Facts, directory: Directory, kinds: Kinds): PaymentContext {
  const kind = kinds.of(facts.kind)
  return new PaymentContext(facts, kind, directory, vocabularyOf(kind))
}

/** The values that one decision's conditions see. Each is made when the first condition asks for it. */
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

  /** The party as the request names it. */
  get #party(): string {
    return text(this.#facts.request, this.#kind.party?.field)
  }

  #make(name: string, look: () => object): unknown {
    const { create } = this.#variables.get(name) as Variable
    this.#made[name] ??= new (create as ValueClass)(look() as Record<string, unknown>)
    return this.#made[name]
  }
}

function text(request: JsonObject, field: string | undefined): string {
  const value = field === undefined ? undefined : request[field]
  return typeof value === 'string' ? value : ''
}

/** What a fault may look at, looked up before it is asked. */
export interface RequestFacts {
  operation: { id: string; method: string; path: string }
  /** Path, query and body in one. */
  request: JsonObject
  /** Whoever asks with a good token. */
  organisation: { uuid: string; name: string; parent: boolean } | undefined
  tokenIssuedAtUs: InstantUs | undefined
  nowUs: InstantUs
  /** How far the service's clock on the wall is ahead of UTC; 0 when left out. */
  zoneUs?: DurationUs
  /** The count of this request among its operation's, since faults watch it, from 1. */
  nth: number
  /** How often a fault was counted before. */
  matched(fault: string): number
  /** How many requests of this organisation a rate limit let through in a window. */
  letThrough(fault: string, window: number): number
  chance: Chance
}

/** What a condition sees of a request. */
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

  #make(name: string, values: object): unknown {
    const { create } = this.#variables.get(name) as Variable
    return new (create as ValueClass)(values as Record<string, unknown>)
  }
}
