/** A service as it is served over HTTP: what the core knows of it, and its operations whole. */
import type { z } from 'zod'
import type { Command } from '../engine/commands.ts'
import type { Core } from '../engine/core.ts'
import type { Organisation } from '../model/payment.ts'
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

/** A way in which customers pay by themselves; an operator plays them. */
// biome-ignore lint/suspicious/noExplicitAny: a list of them holds all that can be given
export interface Collection<Given = any> {
  /** The last part of its path in the control plane. */
  way: string
  /** What the operator says of the payment. */
  given: z.ZodType<Given>
  asked(
    core: Core,
    given: Given,
    organisation: Organisation,
  ): Pick<Command<'open-payment'>, 'currency' | 'amountMinor' | 'request' | 'referenceId' | 'callbackUrl'>
}

export interface HttpService extends Service {
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
  /** Ways in which customers pay by themselves, and the kind of payment that each makes. */
  readonly collections: readonly (Collection & { kind: string })[]
  /** Request headers that the journal keeps, in lower case. */
  readonly keptHeaders: readonly string[]
  /** Values that a reader of examples recognises, by the name of the field, or by the names of its object and itself. */
  readonly exampleValues: Readonly<Record<string, unknown>>
}
