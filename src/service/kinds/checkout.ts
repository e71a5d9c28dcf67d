import * as z from 'zod'
import { lifecycle } from '../../core/lifecycle.ts'
import type { Assumptions } from '../../core/model/assumption.ts'
import { UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import type { Kind, View } from '../../core/model/kind.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import { operation } from '../../http/operation.ts'
import { asChosen, chosen, reason } from '../assumptions/assumptions.ts'
import { findOwn, paymentUnknown, polled } from '../declarations/lookups.ts'
import { kind } from '../declarations/payment-kind.ts'
import { field, form, localDate, part, record, shared } from '../declarations/record.ts'
import { CONTACT_FORMS, constant, constrained, INVENTED_LIMITS, schemaField, uuid } from '../fields.ts'
import { exampleCallbackUrl, request } from '../requests/request.ts'

const PAYMENT_METHODS = ['CARD', 'MPESA_STK'] as const

const METHODS = 'convention: a list of paymentMethods'

const paymentMethod = constrained(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`), {
  enum: METHODS,
})

const checkoutRequest = request({
  id: 'CheckoutRequest',
  basis: 'specified',
  fields: ({ text, optionalText, optional, amount, httpUrl }) => ({
    amount: amount('specified', 'The amount that the customer pays.', { required: 'published' }),
    currency: schemaField(
      'specified',
      'KES is the only value seen.',
      z.enum(['KES'], 'must be KES, the only currency that is known here'),
      { required: 'published', enum: 'convention: the currency of a checkout session' },
    ),
    description: text('specified', 'Free text.', { required: 'published' }),
    successUrl: httpUrl('specified', 'Where a paid customer returns.', { required: 'published' }),
    cancelUrl: httpUrl('specified', 'Where a cancelling customer returns.', { required: 'published' }),
    paymentMethods: schemaField(
      'specified',
      `${PAYMENT_METHODS.join(' and ')} are the values seen.`,
      z
        .array(paymentMethod)
        .min(1, 'must name at least one method')
        .refine((methods) => new Set(methods).size === methods.length, 'must not name a method twice'),
      { required: 'published', minItems: METHODS, uniqueItems: METHODS },
    ).meta({ uniqueItems: true }),
    externalReference: optionalText('specified', "The merchant's own reference, unique per order or invoice.", {
      max: 200,
    }),
    customerEmail: optional(
      'specified',
      'An e-mail address.',
      z.email('must be an e-mail address').max(254, 'must be at most 254 characters'),
      { format: CONTACT_FORMS, pattern: CONTACT_FORMS, maxLength: INVENTED_LIMITS },
    ),
    customerPhone: optional(
      'specified',
      'International form with a plus (published).',
      z.string().regex(/^\+\d{7,15}$/, 'must be + and 7 to 15 digits'),
      { pattern: CONTACT_FORMS },
    ),
    paymentReference: optionalText('specified', 'Shown with the payment.', { max: 200 }),
    callbackUrl: optional('specified', 'Told the final result.', httpUrl('specified', 'Told the final result.')),
  }),
})

type CheckoutRequest = z.infer<typeof checkoutRequest>

const checkoutRefField = constant(
  schemaField('specified', 'CHK-, date, counter (published).', z.string(), {}, { examples: ['CHK-20260316-000123'] }),
  'CHK-…',
  'published',
)
const status = schemaField(
  'published',
  'Confirm a payment by the callback; only SUCCEEDED is paid.',
  z.enum(['PENDING', 'REQUIRES_CUSTOMER_ACTION', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'EXPIRED']),
  { enum: 'published' },
)

/** Not in an envelope. Specified. `baseUrl`: the world's, as the caller reaches it. */
const checkoutAccepted = part<{ payment: Session; baseUrl: string }>('CheckoutAccepted', 'specified', {
  id: shared(uuid('specified', 'The session.'), ({ of }) => of.payment.uuid),
  checkoutUrl: field(
    'Where to send the customer.',
    {
      ...form.text,
      grounds: { format: 'specified' },
      words: { format: 'uri', examples: ['https://checkout.provider.example/session/chk_01JXYZABCDEFG123456'] },
    },
    ({ view, of }) => checkoutUrl(view, of.payment, of.baseUrl),
  ),
  checkoutRef: shared(checkoutRefField, ({ view, of }) => checkoutRef(view, of.payment)),
  status: shared(
    schemaField('specified', 'Always PENDING here.', z.literal('PENDING'), { const: 'specified' }),
    () => 'PENDING',
  ),
})

const orAbsent = { schema: z.string().nullable().optional() }

/** No source shows its body. Assumed (`checkout-callback`). */
const checkoutCallback = record<CheckoutRequest>('CheckoutCallback', 'assumed', {
  id: field('The session.', form.text, ({ payment }) => payment.uuid),
  checkoutRef: field('As in the creation.', { schema: checkoutRefField }, ({ view, payment }) =>
    checkoutRef(view, payment),
  ),
  externalReference: field(
    'As sent, or null; left out when the assumption checkout-callback is short.',
    orAbsent,
    ({ request }) => request.externalReference ?? null,
  ),
  paymentReference: field(
    'As sent, or null; left out when short.',
    orAbsent,
    ({ request }) => request.paymentReference ?? null,
  ),
  status: shared(status, 'status'),
  amount: field('Major units; left out when short.', { schema: z.number().optional() }, ({ payment }) =>
    toMajor(payment.amountMinor),
  ),
  currency: field(
    'As sent; left out when short.',
    { schema: z.string().optional() },
    ({ request }) => request.currency,
  ),
})

const SHORT = ['id', 'checkoutRef', 'status']

function callbackBody(view: View, payment: Session) {
  const whole = checkoutCallback.show(view, payment)
  if (chosen(view)['checkout-callback'] === 'session') return whole
  return Object.fromEntries(SHORT.map((name) => [name, whole[name]]))
}

/** Not in an envelope. Published. */
const checkoutRecord = record<CheckoutRequest>('CheckoutSession', 'published', {
  id: field('The session.', form.text, ({ payment }) => payment.uuid),
  amount: field('Major units; whole amounts are printed as integers.', form.decimal, ({ payment }) =>
    toMajor(payment.amountMinor),
  ),
  currency: field('As sent.', form.text),
  description: field('As sent.', form.text),
  customerEmail: field(
    'As sent; null when it was not (assumed).',
    form.textOrNull,
    ({ request }) => request.customerEmail ?? null,
  ),
  customerMsisdn: field(
    'The customerPhone of the request; null when it was not sent (assumed).',
    form.textOrNull,
    ({ request }) => request.customerPhone ?? null,
  ),
  externalRef: field(
    'The externalReference of the request; null when it was not sent (assumed).',
    form.textOrNull,
    ({ request }) => request.externalReference ?? null,
  ),
  paymentMethods: field('As sent.', { schema: z.array(paymentMethod) }),
  merchantDisplayName: field(
    "The organisation's name.",
    form.text,
    ({ view, payment }) => view.store.organisations.byId(payment.organisationId).name,
  ),
  merchantLogoUrl: field(
    'Null: organisations have no logo here (assumed).',
    { ...form.textOrNull, usual: 'published' },
    null,
  ),
  status: shared(status, 'status'),
})

const sessionParams = request({ fields: () => ({ checkoutSessionId: uuid('published', 'The id from creation.') }) })

export type Session = Payment<CheckoutRequest>

const checkoutFailures: Readonly<Record<string, string>> = {
  declined: 'The bank declined the card',
  'insufficient-funds': 'There is too little money for it',
  'expired-card': 'The bank says that the card has expired',
  'challenge-refused': 'It was refused when the bank asked',
  cancelled: 'It was cancelled on the phone',
  'wrong-pin': 'The PIN was wrong',
  unanswered: 'Nobody answered the prompt on the phone',
}

/** `chk_` and 19 upper-case letters and digits; not the session's id. Published form. */
function checkoutToken(view: View, seq: number): string {
  // The first seven characters hold the session's `seq`, so that the page needs no index.
  const order = seq.toString(36).toUpperCase().padStart(7, '0')
  return `chk_${order}${view.ids.of('checkout-token', seq).text(12, UPPER_ALPHANUMERIC)}`
}

function checkoutSeq(view: View, token: string): number | undefined {
  if (!/^chk_[0-9A-Z]{19}$/.test(token)) return undefined
  const seq = Number.parseInt(token.slice(4, 11), 36)
  return checkoutToken(view, seq) === token ? seq : undefined
}

/** `CHK-20260316-000123`: the date and a counter of six digits. Published form. */
function checkoutRef(view: View, payment: Session): string {
  return `CHK-${localDate(view, payment.createdAtUs).replaceAll('-', '')}-${String(payment.id).padStart(6, '0')}`
}

function checkoutUrl(view: View, payment: Session, baseUrl: string): string {
  return `${baseUrl}/session/${checkoutToken(view, payment.seq)}`
}

/**
 * Reserves nothing, because the customer's money arrives with success. An unanswered prompt fails; a card challenge
 * ends with its session. Cancelling ends the session only under `checkout-cancel`.
 */
const checkoutMachine = lifecycle().createMachine({
  id: 'checkout',
  context: ({ input }) => input,
  initial: 'PENDING',
  states: {
    PENDING: {
      after: {
        autopay: 'PROCESSING',
        autoprompt: 'REQUIRES_CUSTOMER_ACTION',
        expire: { target: 'EXPIRED', actions: 'notify' },
      },
      on: {
        PAY_CARD: 'PROCESSING',
        PAY_CARD_CHALLENGE: 'REQUIRES_CUSTOMER_ACTION',
        PAY_MPESA_STK: 'REQUIRES_CUSTOMER_ACTION',
        CANCEL: { target: 'FAILED', actions: 'notify' },
        EXPIRE: { target: 'EXPIRED', actions: 'notify' },
        SUCCEED: { target: 'SUCCEEDED', actions: ['move', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    REQUIRES_CUSTOMER_ACTION: {
      after: {
        prompt: 'PROCESSING',
        unanswered: { target: 'FAILED', actions: 'notify' },
        expire: { target: 'EXPIRED', actions: 'notify' },
      },
      on: {
        CONFIRM: 'PROCESSING',
        EXPIRE: { target: 'EXPIRED', actions: 'notify' },
        SUCCEED: { target: 'SUCCEEDED', actions: ['move', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    PROCESSING: {
      after: {
        settle: [
          { guard: 'endsWell', target: 'SUCCEEDED', actions: ['move', 'notify'] },
          { target: 'FAILED', actions: 'notify' },
        ],
      },
      on: {
        SUCCEED: { target: 'SUCCEEDED', actions: ['move', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    SUCCEEDED: {},
    FAILED: {},
    EXPIRED: {},
  },
})

const tag = 'Checkout'
const base = '/api/sandbox/v1/checkout-sessions'

const creationStatus = (assumptions: Assumptions) =>
  asChosen(assumptions)['checkout-status-code'] === '200' ? 200 : 201

const single = (session: Kind<CheckoutRequest>) =>
  operation({
    id: 'getCheckoutSession',
    method: 'get',
    path: `${base}/{checkoutSessionId}`,
    tag,
    summary: 'Read one checkout session',
    source: 'published checkout/get_single',
    errorForm: 'checkout-error-body',
    params: sessionParams,
    answer: { status: 200, description: 'The session, not enveloped', schema: checkoutRecord.schema },
    refuses: [paymentUnknown],
    handle: (call) => {
      const { core, params } = call
      const payment = findOwn(call, session, params.checkoutSessionId, 'checkoutSessionId')
      return { status: 200, body: checkoutRecord.show(core, polled(core, session, payment)) }
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
  tag,
  base,
  direction: 'in',
  machine: checkoutMachine,
  request: checkoutRequest,
  currency: 'currency',
  party: { type: 'phone', field: 'customerPhone' },
  ends: ['SUCCEEDED', 'FAILED', 'EXPIRED'],
  failure: { code: 'failure', words: checkoutFailures },
  reference: { field: 'externalReference', used: externalReferenceUsed },
  record: checkoutRecord,
  callback: { record: { schema: checkoutCallback.schema, show: callbackBody } },
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
  operations: ({ opens }, session) => [
    opens({
      id: 'createCheckoutSession',
      path: '',
      summary: 'Create a hosted checkout session',
      description: 'Send the customer to checkoutUrl; confirm the payment by the callback, not by the redirect.',
      source: 'specification, Checkout; published checkout/post',
      errorForm: 'checkout-error-body',
      answer: { status: 201, description: 'The session, not enveloped', schema: checkoutAccepted.schema },
      accepted: {
        schema: checkoutAccepted.schema,
        show: (view, payment, { baseUrl }) => checkoutAccepted.show(view, { payment, baseUrl }),
      },
      told: { description: 'The final result', basis: 'assumed' },
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
    }),
    single(session),
  ],
})
