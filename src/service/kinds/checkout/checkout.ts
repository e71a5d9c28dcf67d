/** A customer pays on a hosted page, by card or by a prompt on the phone. */
import type { Assumptions } from '../../../core/model/assumption.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { operation } from '../../../http/operation.ts'
import { asChosen, reason } from '../../assumed/assumptions.ts'
import { findOwn, paymentUnknown, polled } from '../../declared/find.ts'
import { finalOutcome, opens } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { exampleCallbackUrl } from '../../requests/example-values.ts'
import {
  type CheckoutRequest,
  checkoutAcceptedSchema,
  checkoutCallbackSchema,
  checkoutRequest,
  checkoutSessionSchema,
  sessionParams,
} from './contract.ts'
import { checkoutMachine } from './machine.ts'
import {
  checkoutAccepted,
  checkoutCallback,
  checkoutFailures,
  checkoutRecord,
  checkoutRef,
  checkoutSeq,
  checkoutUrl,
} from './record.ts'

const tag = 'Checkout'
const base = '/api/sandbox/v1/checkout-sessions'

const creationStatus = (assumptions: Assumptions) =>
  asChosen(assumptions)['checkout-status-code'] === '200' ? 200 : 201

const create = opens({
  id: 'createCheckoutSession',
  path: base,
  tag,
  summary: 'Create a hosted checkout session',
  description: 'Send the customer to checkoutUrl; confirm the payment by the callback, not by the redirect.',
  basis: 'specified',
  source: 'specification, Checkout; published checkout/post',
  errorForm: 'checkout-error-body',
  body: checkoutRequest,
  answer: { status: 201, description: 'The session, not enveloped', schema: checkoutAcceptedSchema },
  callback: finalOutcome(checkoutCallbackSchema, { description: 'The final result', basis: 'assumed' }),
  example: (baseUrl) => ({
    amount: 1500,
    currency: 'KES',
    description: 'Payment for order #12345',
    successUrl: 'https://merchant.example/checkout/success',
    cancelUrl: 'https://merchant.example/checkout/cancel',
    paymentMethods: ['CARD', 'MPESA_STK'],
    externalReference: 'ORDER-12345',
    customerEmail: 'customer@merchant.example',
    customerPhone: '+254700000200',
    paymentReference: 'ORDER-12345',
    callbackUrl: exampleCallbackUrl(baseUrl),
  }),
  ask: ({ body }) => ({ currency: body.currency, referenceId: body.externalReference }),
  statusUnder: creationStatus,
  accepted: (payment, { core, baseUrl }) => ({
    status: creationStatus(core.scenario.assumptions),
    body: checkoutAccepted(core, payment, baseUrl),
  }),
})

const single = (session: Kind<CheckoutRequest>) =>
  operation({
    id: 'getCheckoutSession',
    method: 'get',
    path: `${base}/{checkoutSessionId}`,
    tag,
    summary: 'Read one checkout session',
    basis: 'published',
    source: 'published checkout/get_single',
    auth: 'bearer',
    errorForm: 'checkout-error-body',
    params: sessionParams,
    answer: { status: 200, description: 'The session, not enveloped', schema: checkoutSessionSchema },
    refuses: [paymentUnknown],
    handle: (call) => {
      const { core, params } = call
      const payment = findOwn(call, session, params.checkoutSessionId, 'checkoutSessionId')
      return { status: 200, body: checkoutRecord(core, polled(core, session, payment)) }
    },
  })

const externalReferenceUsed = reason(
  'reference',
  'REQ_INVALID_FIELD',
  'the external reference was used before',
  'duplicate-external-reference',
  'refuse',
)

export const checkout = kind({
  name: 'checkout',
  phrase: 'a checkout session',
  direction: 'in',
  machine: checkoutMachine,
  request: checkoutRequest,
  currency: 'currency',
  party: { type: 'phone', field: 'customerPhone' },
  ends: ['SUCCEEDED', 'FAILED', 'EXPIRED'],
  failure: { code: 'failure', words: checkoutFailures },
  fields: {},
  reference: { field: 'externalReference', used: externalReferenceUsed },
  record: checkoutRecord,
  callback: { schema: checkoutCallbackSchema, to: 'request', body: checkoutCallback },
  prompt: {
    status: 'REQUIRES_CUSTOMER_ACTION',
    approve: 'CONFIRM',
    // Only the page and the explanation show it.
    failed: (failure) => ({ failure }),
    reference: (view, payment) => payment.request.paymentReference ?? checkoutRef(view, payment),
  },
  page: {
    details: ({ paymentMethods, customerPhone, description, paymentReference, successUrl, cancelUrl }) => ({
      methods: paymentMethods,
      phone: customerPhone,
      description,
      reference: paymentReference,
      successUrl,
      cancelUrl,
    }),
    url: checkoutUrl,
    seqOf: checkoutSeq,
    publicRef: checkoutRef,
  },
  operations: [create, single],
})
