/** What conditions on a payment see: values made of facts and the directory, each when the first condition asks for it. */
import type { Directory } from '../../model/directory.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import type { JsonObject } from '../../model/payment.ts'
import { noHistory } from '../language/payment-history.ts'
import { timeValues } from '../language/time-of-day.ts'
import { GIVEN, HISTORY, type ValueClass, type Variable, vocabularyOf } from '../language/vocabulary.ts'
import type { Facts } from './payment-facts.ts'

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
