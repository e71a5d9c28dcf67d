/** The simulated service as the core knows it. It is handed in where the parts are joined, and never imported by them. */
import type * as z from 'zod'
import type { AssumptionRegistry, Assumptions } from './assumption.ts'
import type { Countries } from './country.ts'
import type { Kinds } from './kind.ts'

/** An operation, as far as the core has to know it: what a fault can name, and what its condition can ask. */
export interface ServiceOperation {
  id: string
  method: string
  /** Below the base URL, with `{names}`. */
  path: string
  /** `none`: nobody brings a token to it. */
  auth: 'bearer' | 'none'
  /** It exists only while an assumption has this value. */
  only?: { assumption: string; is: string }
  /** The kind of payment that it begins. */
  opens?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
}

/** The operation that begins payments of a kind; none for what no merchant asks for. */
export function openingOf({ operations }: Pick<Service, 'operations'>, kind: string): ServiceOperation | undefined {
  return operations.find(({ opens }) => opens === kind)
}

/** What a field has to be for a request to be taken at all. Holds only where another field has one of these values. */
export interface FieldBound {
  field: string
  when?: { field: string; is: readonly (string | undefined)[] }
  minimum?: number
  enum?: readonly string[]
  /** The second half of a sentence: `must be at least 1000 when TZS`. */
  expected: string
}

/** What is simulated. */
export interface Service {
  /** What fields of a body have to be beyond its schema, under the choices in force. */
  fieldBounds?(body: z.ZodType, assumptions: Assumptions): readonly FieldBound[]
  readonly kinds: Kinds
  readonly countries: Countries
  readonly assumptions: AssumptionRegistry
  /** In the order of its contract. */
  readonly operations: readonly ServiceOperation[]
}
