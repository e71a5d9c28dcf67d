import type * as z from 'zod'
import type { Core, PaymentOrder } from '../core/core.ts'
import type { Chance } from '../core/model/chance.ts'
import type { KindCallback } from '../core/model/kind.ts'
import type { JsonObject, Organisation } from '../core/model/payment.ts'
import type { InstantUs } from '../core/model/time.ts'
import type { Basis } from '../http/json-schema.ts'
import type { HttpService } from '../http/operation.ts'

export interface ServiceWebhook {
  name: string
  title: string
  to: string
  schema: z.ZodType
  description: string
  basis: Basis
  source: string
}

/** A way in which customers pay without a request. In mfano an operator triggers it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of them holds all that can be given
export interface Collection<Given = any> {
  way: string
  phrase: string
  given: z.ZodObject & z.ZodType<Given>
  asked(
    core: Core,
    given: Given,
    organisation: Organisation,
  ): Pick<PaymentOrder, 'currency' | 'amountMinor' | 'request' | 'referenceId' | 'callbackUrl'>
}

export interface ServedService extends HttpService {
  readonly webhooks: readonly (ServiceWebhook & Pick<KindCallback<never>, 'unless'>)[]
  readonly collections: readonly (Collection & { kind: string })[]
  /** Loaded on demand, because most servers never need them. */
  profiles(): Promise<readonly Profile[]>
}

export interface Opened {
  atUs: InstantUs
  kind: string
  /** Without a callback address, since nobody was listening in the past. */
  request: JsonObject
}

interface Collected {
  atUs: InstantUs
  way: string
  given: JsonObject
}

export type Act = Opened | Collected

export interface Span {
  fromUs: InstantUs
  untilUs: InstantUs
  payments: number
  chance: Chance
}

export interface ServicePast {
  scenario: string
  acts: readonly Act[]
}

export interface Profile {
  name: string
  description: string
  past(span: Span): Iterator<void, ServicePast>
}
