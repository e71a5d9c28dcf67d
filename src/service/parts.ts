/** What the kinds of a service bring along besides operations, and the service as it is served. */
import type * as z from 'zod'
import type { Command } from '../core/commands.ts'
import type { Core } from '../core/core.ts'
import type { Basis } from '../core/model/basis.ts'
import type { KeptCard } from '../core/model/card.ts'
import type { Chance } from '../core/model/chance.ts'
import type { KindCallback } from '../core/model/kind.ts'
import type { JsonObject, Organisation } from '../core/model/payment.ts'
import type { InstantUs } from '../core/model/time.ts'
import type { HttpService } from '../http/http-service.ts'

/** A callback that no request of the merchant leads to. */
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
}

/** A way in which customers pay by themselves; an operator plays them. */
// biome-ignore lint/suspicious/noExplicitAny: a list of them holds all that can be given
export interface Collection<Given = any> {
  /** The last part of its path in the control plane. */
  way: string
  /** As a sentence says that it happens. */
  phrase: string
  /** What the operator says of the payment; `organisationId` is whose customer it is. */
  given: z.ZodObject & z.ZodType<Given>
  asked(
    core: Core,
    given: Given,
    organisation: Organisation,
  ): Pick<Command<'open-payment'>, 'currency' | 'amountMinor' | 'request' | 'referenceId' | 'callbackUrl'>
}

/** A service with all that the control plane and the pages show of it. */
export interface ServedService extends HttpService {
  readonly webhooks: readonly (Webhook & Pick<KindCallback<never>, 'unless'>)[]
  /** Ways in which customers pay by themselves, and the kind of payment that each makes. */
  readonly collections: readonly (Collection & { kind: string })[]
  /** Businesses whose past can be made up; loaded when somebody wants one. */
  profiles(): Promise<readonly Profile[]>
}

/** A payment that the business asks for. */
export interface Opened {
  atUs: InstantUs
  kind: string
  /** As the service takes it, without an address for callbacks: nobody was there to be told. */
  request: JsonObject
}

/** A customer pays a session that was opened before, by its request. */
export interface PaidSession {
  atUs: InstantUs
  pays: JsonObject
  method: string
  phone?: string
  card?: KeptCard
}

/** A payment that somebody makes to the business without being asked. */
export interface Collected {
  atUs: InstantUs
  /** As `Collection` has it. */
  way: string
  given: JsonObject
}

export type Act = Opened | PaidSession | Collected

/** What a past is made for. */
export interface Span {
  fromUs: InstantUs
  untilUs: InstantUs
  /** How many payments there are in it, those into the wallet included. */
  payments: number
  chance: Chance
}

/** A made-up past. */
export interface Past {
  /** What then happens to its payments: the text of a scenario. */
  scenario: string
  /** In the order of time. */
  acts: readonly Act[]
}

/** A sort of business. */
export interface Profile {
  name: string
  /** What it does, in a sentence. */
  description: string
  /** In steps: a long one takes seconds. */
  past(span: Span): Iterator<void, Past>
}
