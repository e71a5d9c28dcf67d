/** The values that conditions on a payment or a request see. Each is made when a condition first asks for it. */
import type { Directory } from './model/directory.ts'
import type { Kind, Kinds } from './model/kind.ts'
import { must } from './model/must.ts'
import type { JsonObject } from './model/payment.ts'
import type { Facts, RequestFacts } from './scenarios/decide/payment-facts.ts'
import { noHistory } from './scenarios/decide/payment-history.ts'
import { timeValues } from './scenarios/language/hours.ts'
import { GIVEN, HISTORY, type ValueClass, type Variable, vocabularyOf } from './vocabulary.ts'

export function contextOf(facts: Facts, directory: Directory, kinds: Kinds): Context {
  const kind = kinds.of(facts.kind)
  return new Context(facts, vocabularyOf(kind), kind, directory)
}

type Seen = Pick<RequestFacts, 'request' | 'organisation' | 'headers' | 'nowUs' | 'zoneUs' | 'nth'> &
  Partial<Pick<Facts, 'walletAvailable' | 'history'>>

export class Context {
  readonly #facts: Seen
  readonly #variables: ReadonlyMap<string, Variable>
  readonly #kind: Kind | undefined
  readonly #directory: Directory | undefined
  readonly #made: Record<string, unknown> = {}

  constructor(facts: Seen, variables: ReadonlyMap<string, Variable>, kind?: Kind, directory?: Directory) {
    this.#facts = facts
    this.#variables = variables
    this.#kind = kind
    this.#directory = directory
  }

  get request() {
    return this.#made['request'] ?? this.#make('request', () => this.#facts.request)
  }
  get [GIVEN]() {
    return this.#made[GIVEN] ?? this.#make(GIVEN, () => this.#facts.request)
  }
  get organisation() {
    return this.#make('organisation', () => this.#facts.organisation ?? {})
  }
  get wallet() {
    return this.#make('wallet', () => ({ available: this.#facts.walletAvailable }))
  }
  get payee() {
    return this.#make('payee', () => must(this.#directory).subscriber(this.#party))
  }
  get payer() {
    return this.#make('payer', () => must(this.#directory).subscriber(this.#party))
  }
  get account() {
    const bank = text(this.#facts.request, this.#kind?.party?.bank)
    return this.#make('account', () => must(this.#directory).bankAccount(bank, this.#party))
  }
  get business() {
    return this.#make('business', () => must(this.#directory).business(this.#party))
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
    return text(this.#facts.request, this.#kind?.party?.field)
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
