import type { Directory } from './model/directory.ts'
import type { Kind, Kinds } from './model/kind.ts'
import { must } from './model/must.ts'
import type { Facts } from './scenarios/decide/payment-facts.ts'
import { GIVEN, looks, type SeenFacts, type Variable, vocabularyOf } from './vocabulary.ts'

export function contextOf(facts: Facts, directory: Directory, kinds: Kinds): Context {
  const kind = kinds.of(facts.kind)
  return new Context(facts, vocabularyOf(kind), kind, directory)
}

export class Context {
  readonly #facts: SeenFacts
  readonly #variables: ReadonlyMap<string, Variable>
  readonly #kind: Kind | undefined
  readonly #directory: Directory | undefined
  readonly #made: Record<string, object> = {}

  constructor(facts: SeenFacts, variables: ReadonlyMap<string, Variable>, kind?: Kind, directory?: Directory) {
    this.#facts = facts
    this.#variables = variables
    this.#kind = kind
    this.#directory = directory
  }

  static {
    for (const name of ['request', GIVEN, ...Object.keys(looks)]) {
      const look = looks[name]
      Object.defineProperty(Context.prototype, name, {
        get(this: Context) {
          const made = this.#made[name]
          if (made) return made
          const create = must(this.#variables.get(name)).create as new (row: object) => object
          const { request } = this.#facts
          this.#made[name] = new create(look ? look(this.#facts, this.#kind, this.#directory) : request)
          return this.#made[name]
        },
      })
    }
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
}
