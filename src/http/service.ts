/** A service as it is served over HTTP: what the core knows of it, and its operations whole. */
import type { z } from 'zod'
import type { Service } from '../model/service.ts'
import type { Basis, Operation } from './operation.ts'

/** A call that no request of the merchant leads to. */
export interface Webhook {
  /** Its name in the contract, and for readers. */
  name: string
  title: string
  /** The field of the organisation that holds its address. */
  to: string
  schema: z.ZodType
  description: string
  basis: Basis
  source: string
  /** It is not sent while an assumption has this value. */
  unless?: { assumption: string; is: string }
}

export interface HttpService extends Service {
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
  /** Request headers that the journal keeps, in lower case. */
  readonly keptHeaders: readonly string[]
  /** Values that a reader of examples recognises, by the name of the field, or by the names of its object and itself. */
  readonly exampleValues: Readonly<Record<string, unknown>>
}
