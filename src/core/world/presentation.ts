/** The edge at which a world tells merchants something: where it may be told otherwise than it is, on request. */
import { type Mutation, mutated } from '../model/mutation.ts'

/** Bodies of one sort that are kept as samples. */
const SAMPLES = 200

/** What was told: the answers of an operation, or the callbacks of a kind. */
export interface Told {
  in: Mutation['in']
  of: string
  /** `GET`, of an answer. */
  method?: string
  bodies: unknown[]
  /** Of callbacks. */
  signed?: boolean
}

/** Kept in memory only: records, ledger and journal are as they are, whatever is told of them. */
export class Presentation {
  mutation: Mutation | undefined
  #samples: Map<string, Told> | undefined

  /** From now on, what is told is kept. */
  listen(): void {
    this.#samples ??= new Map()
  }

  /** Samples of what was told. */
  get told(): Told[] {
    return [...(this.#samples?.values() ?? [])]
  }

  /** Whether anything is asked of it. */
  get idle(): boolean {
    return this.mutation === undefined && this.#samples === undefined
  }

  /** The text of an answer as it goes out. */
  answer(operation: string, method: string, text: string): string {
    return this.#tell({ in: 'answer', of: operation, method, bodies: [] }, text)
  }

  /** The body of a callback as it goes out. */
  callback(kind: string, text: string, signed: boolean): string {
    return this.#tell({ in: 'callback', of: kind, signed, bodies: [] }, text)
  }

  /** Whether a callback of a kind is signed with a secret that does not fit. */
  signsWrongly(kind: string): boolean {
    const { mutation } = this
    return mutation?.in === 'callback' && mutation.of === kind && 'signature' in mutation.change
  }

  #tell(sort: Told, text: string): string {
    if (this.idle) return text
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return text
    }
    this.#keep(sort, body)
    const { mutation } = this
    return mutation?.in === sort.in && mutation.of === sort.of ? JSON.stringify(mutated(body, mutation)) : text
  }

  #keep(sort: Told, body: unknown): void {
    if (!this.#samples) return
    const key = `${sort.in} ${sort.of}`
    const known = this.#samples.get(key) ?? sort
    this.#samples.set(key, known)
    if (known.bodies.length < SAMPLES) known.bodies.push(body)
  }
}
