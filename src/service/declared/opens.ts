/** Declares operations that create a payment. */

import type * as z from 'zod'
import { waitsForRail } from '../../core/lifecycle.ts'
import type { Basis } from '../../core/model/basis.ts'
import type { Kind } from '../../core/model/kind.ts'
import { type Currency, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { commonReasons, type Reason } from '../../core/model/refusal-reasons.ts'
import { perform } from '../../core/perform.ts'
import { type Answer, type Call, type Operation, operation } from '../../http/operation.ts'
import { asPlanned } from '../../http/response-fault.ts'
import { type FieldRule, unmet } from '../../http/validate.ts'
import { reason } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import type { OfKind } from './payment-kind.ts'

interface Asked {
  request?: object
  currency?: Currency
  referenceId?: string | undefined
  counterpartyId?: number
}

interface Opening<Body, Refuses extends Reason>
  extends Omit<Operation<undefined, undefined, Body, Refuses>, 'method' | 'auth' | 'opens' | 'handle'> {
  body: NonNullable<Operation<undefined, undefined, Body>['body']>
  ask?(call: Call<undefined, undefined, Body, Refuses>): Asked
  accepted(payment: Payment<Body>, call: Call<undefined, undefined, Body, Refuses>): Answer
}

export const referenceUsed = reason(
  'reference',
  'REQ_INVALID_FIELD',
  'the reference was used before',
  'duplicate-reference',
  'refuse',
)

const { stage, code, when } = commonReasons.fundsShort
const fundsShortAtCreation = reason(stage, code, when, 'funds-check', 'at-creation')

/** Refusals of the command `open-payment`. */
function openingReasons(kind: Kind): Reason[] {
  const { direction, reference, refusedAtOnce } = kind
  const { railClosed, limitExceeded, fundsShort, booksFull } = commonReasons
  return [
    ...(reference ? [reference.used] : []),
    ...(refusedAtOnce ? [refusedAtOnce.reason] : []),
    ...(waitsForRail(kind) ? [railClosed] : []),
    ...(direction === 'none' ? [] : [limitExceeded, booksFull]),
    ...(direction === 'out' ? [fundsShortAtCreation] : direction === 'between' ? [fundsShort] : []),
  ]
}

export function warnOf(limits: readonly FieldRule[], body: object, warn: (warning: string) => void): void {
  for (const { text } of unmet(limits, body, () => false)) warn(text.replace(', got', ' as documented, got'))
}

export function finalOutcome(
  schema: z.ZodType,
  { description = 'The final outcome', basis = 'published' }: { description?: string; basis?: Basis } = {},
): NonNullable<Operation['callback']> {
  return { schema, description, basis, url: '{$request.body#/callbackUrl}' }
}

export function opens<
  Body extends { amount?: number; referenceId?: string; callbackUrl?: string },
  Refuses extends Reason = never,
>({ ask, accepted, ...contract }: Opening<Body, Refuses>): OfKind {
  return (kind) => {
    const { name } = kind
    return operation<undefined, undefined, Body, Reason>({
      ...contract,
      refuses: [...(contract.refuses ?? []), ...openingReasons(kind)],
      method: 'post',
      auth: 'bearer',
      opens: name,
      handle: (call) => {
        const { core, caller, body, trace, headers, outcome } = call
        const asked = ask?.(call)
        const { payment, replayed } = perform(core, {
          command: 'open-payment',
          kind: name,
          organisationId: caller.id,
          currency: asked?.currency ?? countries.home.currency,
          amountMinor: must(toMinor(body.amount ?? 0)),
          request: (asked?.request ?? body) as JsonObject,
          referenceId: asked?.referenceId ?? body.referenceId,
          counterpartyId: asked?.counterpartyId,
          callbackUrl: body.callbackUrl,
          trace,
          headers,
          outcome,
        })
        return { ...accepted(payment as Payment as Payment<Body>, call), ...asPlanned(payment, replayed) }
      },
    })
  }
}
