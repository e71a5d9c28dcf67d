/** Answer schemas of events. */
import * as z from 'zod'
import { callbackSummaryShape } from '../callbacks/callback-answers.ts'
import { inboxMessageShownShape } from '../inbox/inbox-answers.ts'
import { paymentSummaryShape } from '../payments/payment-answers.ts'
import { shape } from '../shape.ts'
import { diagnosisShape, worldClockShape } from '../shared-answers.ts'

export const paymentEventShape = shape('PaymentEvent', () =>
  z
    .object({
      at: z.string(),
      type: z.literal('payment'),
      payment: paymentSummaryShape().nullable(),
      from: z.string().nullable(),
      to: z.string(),
      by: z.enum(['float', 'operator', 'payer', 'plan', 'request']),
    })
    .describe('A payment was created, or changed its status.'),
)

export const callbackEventShape = shape('CallbackEvent', () =>
  z
    .object({
      at: z.string(),
      type: z.literal('callback'),
      callback: callbackSummaryShape().nullable(),
      attempt: z
        .object({
          number: z.number(),
          tookMs: z.number().describe('Real milliseconds until the answer.'),
          status: z.number().nullable(),
          error: z.string().nullable().describe('Why the attempt failed. null after a 2xx answer.'),
          diagnosis: diagnosisShape().nullable().describe('The diagnosis of the attempt.'),
        })
        .nullable(),
    })
    .describe('A callback was created, or an attempt to send it ended.'),
)

export const requestEventShape = shape('RequestEvent', () =>
  z
    .object({
      at: z.string(),
      type: z.literal('request'),
      request: z.object({
        requestId: z.string(),
        operation: z.string().nullable(),
        method: z.string(),
        path: z.string(),
        status: z.number(),
        rule: z.string().nullable(),
      }),
    })
    .describe('The service answered a request.'),
)

export const inboxEventShape = shape('InboxEvent', () =>
  z
    .object({
      at: z.string(),
      type: z.literal('inbox'),
      inbox: z.string(),
      message: inboxMessageShownShape().nullable(),
    })
    .describe('An inbox received a callback.'),
)

export const clockEventShape = shape('ClockEvent', () =>
  z
    .object({ at: z.string(), type: z.literal('clock'), clock: worldClockShape(), from: z.string() })
    .describe("The clock's mode or time was set."),
)

export const scenarioEventShape = shape('ScenarioEvent', () =>
  z
    .object({ at: z.string(), type: z.literal('scenario'), scenario: z.string() })
    .describe('Another scenario applies to new payments.'),
)

export const walletEventShape = shape('WalletEvent', () =>
  z
    .object({
      at: z.string(),
      type: z.literal('wallet'),
      wallet: z.object({ organisationId: z.string(), currency: z.string(), available: z.number() }),
      amount: z.number(),
    })
    .describe('A wallet was funded.'),
)

export const domainEventShape = shape('DomainEvent', () =>
  z.union([
    paymentEventShape(),
    callbackEventShape(),
    requestEventShape(),
    inboxEventShape(),
    clockEventShape(),
    scenarioEventShape(),
    walletEventShape(),
  ]),
)

export const eventCountsShape = shape('EventCounts', () =>
  z.object({
    callback: z.number().optional(),
    clock: z.number().optional(),
    inbox: z.number().optional(),
    payment: z.number().optional(),
    request: z.number().optional(),
    scenario: z.number().optional(),
    wallet: z.number().optional(),
  }),
)

export const paymentCountsShape = shape('PaymentCounts', () =>
  z.object({
    total: z.number(),
    byKind: z.array(z.object({ kind: z.string(), status: z.string(), count: z.number() })),
  }),
)
