/** Changes answers and callbacks of a world on request. Records stay as they are. */
import { type Mutation, mutated } from '../model/mutation.ts'

const SAMPLES = 200

export interface PresentedBodies {
  in: Mutation['in']
  of: string
  method?: string
  bodies: unknown[]
  signed?: boolean
}

/** In memory only, because records, ledger and journal must stay true. */
export class Presentation {
  mutation: Mutation | undefined
  #samples: Map<string, PresentedBodies> | undefined

  listen(): void {
    this.#samples ??= new Map()
  }

  /** Changes and keeps what the other does. */
  follow(other: Presentation): void {
    this.mutation = other.mutation
    if (other.#samples) this.listen()
  }

  get told(): PresentedBodies[] {
    return [...(this.#samples?.values() ?? [])]
  }

  get idle(): boolean {
    return this.mutation === undefined && this.#samples === undefined
  }

  answer(operation: string, method: string, text: string): string {
    return this.#tell({ in: 'answer', of: operation, method, bodies: [] }, text)
  }

  callback(kind: string, text: string, signed: boolean): string {
    return this.#tell({ in: 'callback', of: kind, signed, bodies: [] }, text)
  }

  signsWrongly(kind: string): boolean {
    const { mutation } = this
    return mutation?.in === 'callback' && mutation.of === kind && 'signature' in mutation.change
  }

  #tell(sort: PresentedBodies, text: string): string {
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

  #keep(sort: PresentedBodies, body: unknown): void {
    if (!this.#samples) return
    const key = `${sort.in} ${sort.of}`
    const known = this.#samples.get(key) ?? sort
    this.#samples.set(key, known)
    if (known.bodies.length < SAMPLES) known.bodies.push(body)
  }
}
