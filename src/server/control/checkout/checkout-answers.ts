/** Answer schemas of checkout sessions. */
import * as z from 'zod'
import { paymentSummaryShape } from '../payments/payment-answers.ts'
import { shape } from '../shape.ts'

export const checkoutSessionShape = shape('CheckoutSession', () =>
  paymentSummaryShape().extend({ checkoutUrl: z.string(), successUrl: z.string(), cancelUrl: z.string() }),
)
