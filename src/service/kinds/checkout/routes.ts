import type { Core } from '../../../engine/core.ts'
import { perform } from '../../../engine/perform.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject, Organisation, Payment } from '../../../model/payment.ts'
import { Refusal } from '../../../model/refusal.ts'
import { polled, visibleTo } from '../../reads.ts'
import { checkoutAccepted, checkoutRecord } from './record.ts'
import {
  checkoutAcceptedSchema,
  checkoutCallbackSchema,
  checkoutRequest,
  checkoutSessionSchema,
  sessionParams,
} from './schema.ts'

const tag = 'Checkout'
const base = '/api/sandbox/v1/checkout-sessions'

const create = operation({
  id: 'createCheckoutSession',
  method: 'post',
  path: base,
  tag,
  summary: 'Create a hosted checkout session',
  description: 'Send the customer to checkoutUrl; confirm the payment by the callback, not by the redirect.',
  basis: 'specified',
  source: 'specification, Checkout; published checkout/post',
  auth: 'bearer',
  errorForm: 'checkout',
  body: checkoutRequest,
  answer: { status: 201, description: 'The session, not enveloped', schema: checkoutAcceptedSchema },
  callback: {
    schema: checkoutCallbackSchema,
    description: 'The final result',
    basis: 'assumed',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body, baseUrl }) => {
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'checkout',
      organisationId: caller.id,
      currency: body.currency,
      amountMinor: toMinor(body.amount) as number,
      request: body as JsonObject,
      referenceId: body.externalReference,
      callbackUrl: body.callbackUrl,
    })
    return { status: 201, body: checkoutAccepted(core, payment, baseUrl), ...asPlanned(payment, replayed) }
  },
})

const single = operation({
  id: 'getCheckoutSession',
  method: 'get',
  path: `${base}/{checkoutSessionId}`,
  tag,
  summary: 'Read one checkout session',
  basis: 'published',
  source: 'published checkout/get_single',
  auth: 'bearer',
  errorForm: 'checkout',
  params: sessionParams,
  answer: { status: 200, description: 'The session, not enveloped', schema: checkoutSessionSchema },
  handle: ({ core, caller, params }) => ({
    status: 200,
    body: checkoutRecord(core, findSession(core, caller, params.checkoutSessionId)),
  }),
})

/** Another's session looks as if it did not exist. */
function findSession(core: Core, caller: Organisation, uuid: string): Payment {
  const payment = core.store.payments.byUuid(uuid)
  if (payment?.kind === 'checkout' && visibleTo(core, caller).includes(payment.organisationId))
    return polled(core, payment)
  throw new Refusal('RESOURCE_NOT_FOUND', `checkoutSessionId: no checkout session of yours has the id "${uuid}"`, {
    fields: [
      { field: 'checkoutSessionId', message: 'checkoutSessionId must be the id of a checkout session of yours' },
    ],
  })
}

/** POST and read of `checkout-sessions`. */
export const checkoutOperations = [create, single]
