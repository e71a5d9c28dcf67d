/** The service as the core sees it. It is passed in, so that the core imports no service. */
import type * as z from 'zod'
import type { AssumptionRegistry } from './assumption.ts'
import type { Countries } from './country.ts'
import type { Kinds } from './kind.ts'

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

export function openingOf({ operations }: Pick<Service, 'operations'>, kind: string): ServiceOperation | undefined {
  return operations.find(({ opens }) => opens === kind)
}

export interface Service {
  readonly kinds: Kinds
  readonly countries: Countries
  readonly assumptions: AssumptionRegistry
  readonly operations: readonly ServiceOperation[]
}
