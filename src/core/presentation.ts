/** Changes answers and callbacks of a world on request. Records stay as they are. */
import * as z from 'zod'
import { isRecord } from './model/must.ts'

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
  /** Only where somebody listens. */
  samples: Map<string, PresentedBodies> | undefined

  listen(): void {
    this.samples ??= new Map()
  }

  /** Starts with the mutation of the other, and collects what is told if the other does. */
  follow(other: Presentation): void {
    this.mutation = other.mutation
    if (other.samples) this.listen()
  }

  get told(): PresentedBodies[] {
    return [...(this.samples?.values() ?? [])]
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
    if (!this.mutation && !this.samples) return text
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
    if (!this.samples) return
    const key = `${sort.in} ${sort.of}`
    const known = this.samples.get(key) ?? sort
    this.samples.set(key, known)
    if (known.bodies.length < SAMPLES) known.bodies.push(body)
  }
}

/** Names joined by dots, `[]` for the items of a list: `data.records[].amount`. */
type FieldPath = string

export const changeSchema = z.union([
  z.strictObject({ multiply: z.number() }),
  z.strictObject({ anotherOf: z.array(z.unknown()).min(1) }),
  z.strictObject({ map: z.record(z.string(), z.unknown()) }),
  z.strictObject({ remove: z.literal(true) }),
  z.strictObject({ reverse: z.literal(true) }),
  z.strictObject({ signature: z.literal('wrong') }),
])

type Change = z.output<typeof changeSchema>

export interface Mutation {
  in: 'answer' | 'callback'
  of: string
  at: FieldPath
  change: Change
}

export function mutated(body: unknown, { at, change }: Mutation): unknown {
  return 'signature' in change ? body : changedAt(body, at === '' ? [] : at.split('.'), change)
}

function changedAt(value: unknown, path: readonly string[], change: Change): unknown {
  const [step, ...rest] = path
  if (step === undefined) return changed(value, change)
  const name = step.replace(/\[\]$/, '')
  const inList = step !== name
  if (name === '') return Array.isArray(value) ? value.map((item) => changedAt(item, rest, change)) : value
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value
  const { [name]: inner, ...others } = value
  if ('remove' in change && rest.length === 0 && !inList) return others
  const told = changedAt(inner, inList ? ['[]', ...rest] : rest, change)
  return { ...value, [name]: told }
}

/** Not `remove`, which the object that has the field does, nor a spoilt signature, which the code that signs does. */
function changed(value: unknown, change: Change): unknown {
  if ('multiply' in change) return multiplied(value, change.multiply)
  if ('anotherOf' in change) return change.anotherOf.find((other) => other !== value) ?? value
  if ('map' in change) return Object.hasOwn(change.map, String(value)) ? change.map[String(value)] : value
  return 'reverse' in change && Array.isArray(value) ? value.toReversed() : value
}

function multiplied(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value * by
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return String(Number(value) * by)
  return value
}
