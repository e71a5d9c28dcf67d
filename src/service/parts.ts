/** What the kinds of a service bring along besides operations, and the service as it is served. */
import type * as z from 'zod'
import type { Command } from '../engine/commands.ts'
import type { Core } from '../engine/core.ts'
import type { HttpService } from '../http/http-service.ts'
import type { Basis } from '../model/basis.ts'
import type { KindCallback } from '../model/kind.ts'
import type { Organisation } from '../model/payment.ts'
import type { Profile } from './profiles/profile.ts'

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
