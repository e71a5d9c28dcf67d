/** Requests and answers of checkout sessions. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import {
  amount,
  CONTACT_FORMS,
  constrained,
  httpUrl,
  INVENTED_LIMITS,
  known,
  optional,
  optionalText,
  recordUuid,
  text,
  usual,
  uuid,
} from '../../fields.ts'

const PAYMENT_METHODS = ['CARD', 'MPESA_STK'] as const

const METHODS = 'convention: a list of paymentMethods'

const paymentMethod = constrained(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`), {
  enum: METHODS,
})

export const checkoutRequest = openObject(() => ({
  amount: amount('specified', 'What the customer pays.', { required: 'published' }),
  currency: known(
    'specified',
    'KES is the only value seen.',
    z.enum(['KES'], 'must be KES, the only currency that is known here'),
    { required: 'published', enum: 'convention: the currency of a checkout session' },
  ),
  description: text('specified', 'Free text.', { required: 'published' }),
  successUrl: httpUrl('specified', 'Where a paid customer returns.', { required: 'published' }),
  cancelUrl: httpUrl('specified', 'Where a cancelling customer returns.', { required: 'published' }),
  paymentMethods: known(
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
})).meta({ id: 'CheckoutRequest', 'x-basis': 'specified' })

export type CheckoutRequest = z.infer<typeof checkoutRequest>

const checkoutRef = usual(
  known('specified', 'CHK-, date, counter (published).', z.string(), {}, { examples: ['CHK-20260316-000123'] }),
  'CHK-…',
  'published',
)
const status = known(
  'published',
  'Confirm a payment by the callback; only SUCCEEDED is paid.',
  z.enum(['PENDING', 'REQUIRES_CUSTOMER_ACTION', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'EXPIRED']),
  { enum: 'published' },
)

export const checkoutAcceptedSchema = closedObject(() => ({
  id: recordUuid('specified', 'The session.'),
  checkoutUrl: known(
    'specified',
    'Where to send the customer.',
    z.string(),
    { format: 'specified' },
    { format: 'uri', examples: ['https://checkout.provider.example/session/chk_01JXYZABCDEFG123456'] },
  ),
  checkoutRef,
  status: known('specified', 'Always PENDING here.', z.literal('PENDING'), { const: 'specified' }),
})).meta({ id: 'CheckoutAccepted', 'x-basis': 'specified' })

export const checkoutCallbackSchema = closedObject(() => ({
  id: known('assumed', 'The session.', z.string()),
  checkoutRef: known('assumed', 'As in the creation.', checkoutRef),
  externalReference: known(
    'assumed',
    'As sent, or null; left out when the assumption checkout-callback is short.',
    z.string().nullable().optional(),
  ),
  paymentReference: known('assumed', 'As sent, or null; left out when short.', z.string().nullable().optional()),
  status,
  amount: known('assumed', 'Major units; left out when short.', z.number().optional()),
  currency: known('assumed', 'As sent; left out when short.', z.string().optional()),
})).meta({ id: 'CheckoutCallback', 'x-basis': 'assumed' })

export const checkoutSessionSchema = closedObject(() => ({
  id: known('published', 'The session.', z.string()),
  amount: known('published', 'Major units; whole amounts are printed as integers.', z.number()),
  currency: known('published', 'As sent.', z.string()),
  description: known('published', 'As sent.', z.string()),
  customerEmail: known('published', 'As sent; null when it was not (assumed).', z.string().nullable()),
  customerMsisdn: known(
    'published',
    'The customerPhone of the request; null when it was not sent (assumed).',
    z.string().nullable(),
  ),
  externalRef: known(
    'published',
    'The externalReference of the request; null when it was not sent (assumed).',
    z.string().nullable(),
  ),
  paymentMethods: known('published', 'As sent.', z.array(paymentMethod)),
  merchantDisplayName: known('published', "The organisation's name.", z.string()),
  merchantLogoUrl: usual(
    known('published', 'Null: organisations have no logo here (assumed).', z.string().nullable()),
    null,
    'published',
  ),
  status,
})).meta({ id: 'CheckoutSession', 'x-basis': 'published' })

export const sessionParams = openObject(() => ({ checkoutSessionId: uuid('published', 'The id from creation.') }))
