/** Routes: payments, found, shown, explained and resolved. */
import { type Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { decidingVersion, kindOf } from '../../core/core.ts'
import { legalEvents, statesOf } from '../../core/lifecycle.ts'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import type { Kinds } from '../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { explainPayment, explanation, explanationText } from '../../inspect/explain-payment.ts'
import { callbackDetail, paymentSummary, planOf, record, timeline, transfersOf } from '../../inspect/present.ts'
import { searchPayments, searchTexts } from '../../inspect/search.ts'
import { explainTrace } from '../../inspect/trace-text.ts'
import { about } from './about.ts'
import { asks, type ControlContext, type ControlEnv, json, organisationOf, takes } from './control-context.ts'
import { asCsv, csv, listFormat } from './csv-answer.ts'
import { findPayment } from './find-payment.ts'
import { anyJson } from './time-fields.ts'

/** Every status that a payment of some kind can have. */
function statusesOf(kinds: Kinds): string[] {
  return [...new Set([...kinds].flatMap((kind) => statesOf(kind)))].sort()
}

const oneOf = (names: string[]) =>
  z.enum(names, {
    error: ({ input }) => `must be one of ${names.join(', ')}${nearestTo(String(input), names)}`,
  })

function nearestTo(given: string, names: readonly string[]): string {
  const guess = didYouMean(given.toUpperCase(), names).trim()
  return guess === '' ? '' : ` (${guess.charAt(0).toLowerCase()}${guess.slice(1)})`
}

const listOf = ({ kinds }: Service) =>
  z.strictObject({
    /** Only those of one kind. */
    kind: z.enum(kinds.names, `must be one of ${kinds.names.join(', ')}`).optional(),
    /** Only those in this state. */
    status: oneOf(statusesOf(kinds)).optional(),
    /** Only those of one organisation, by its uuid. */
    organisationId: z.string().optional(),
    /** Only those with this reference. */
    referenceId: z.string().optional(),
    /** Part of its uuid, request, reference or record, whatever the case; a phone number in any spelling. */
    search: z.string().min(1).max(200).optional(),
    /** At most so many. */
    limit: z.coerce
      .number()
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1000, 'must be at most 1000')
      .default(100),
    /** `next` of the page before. */
    before: z.coerce.number().int('must be a whole number').optional(),
    ...listFormat,
  })

const resolution = z.strictObject({
  /** A state that the payment may come to from where it is. */
  status: z.string().min(1),
  /** Fields of its record, such as an errorCode. */
  with: z.record(z.string(), anyJson).optional(),
})

const asked = z.strictObject({
  /** Else as the Accept header says. */
  format: z.enum(['json', 'text'], 'must be json or text').optional(),
})
/** For who does not say `?format=`. */
const formats = { header: 'Accept' as const, supports: ['application/json', 'text/plain'], default: 'application/json' }

/** What became of payments, and why; and making them end. An id is whatever names a payment: see `findPayment`. */
export function paymentRoutes(service: Service) {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/payments',
      about('Payments, the newest first', { errors: ['404 NOT_FOUND'], answers: asCsv }),
      csv('payments'),
      asks(listOf(service)),
      async (c) => {
        const { kind, status, organisationId, referenceId, search, limit, before } = c.req.valid('query')
        const { world } = c.env
        const { core } = world
        const filter = {
          ...(kind && { kinds: [kind] }),
          ...(status && { status }),
          ...(organisationId && { organisationIds: [organisationOf(c.env.world, organisationId).id] }),
          ...(referenceId && { referenceId }),
        }
        if (search !== undefined) {
          const texts = searchTexts(c.env.service.countries, search)
          const { found, next } = await searchPayments(world, { ...filter, texts }, { limit, before })
          return json(c, {
            // How many there are is known when everything was looked through.
            total: next === null && before === undefined ? found.length : null,
            next,
            payments: found.map((payment) => paymentSummary(core, payment)),
          })
        }
        const page = core.store.payments.page(filter, {
          limit,
          newestFirst: true,
          ...(before !== undefined && { afterSeq: before }),
        })
        return json(c, {
          total: core.store.payments.count(filter) as number | null,
          next: page.length === limit ? (page.at(-1)?.seq ?? null) : null,
          payments: page.map((payment) => paymentSummary(core, payment)),
        })
      },
    )

    .get(
      '/_mfano/payments/:id',
      about('All about one payment: record, plan, rules, timeline, transfers, callbacks', {
        path: {
          id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
        },
        errors: ['404 NOT_FOUND', '409 AMBIGUOUS_ID'],
      }),
      (c) => json(c, detail(c, find(c))),
    )

    .get(
      '/_mfano/payments/:id/explain',
      about('Why a payment is where it is, and what to do', {
        path: {
          id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
        },
        errors: ['404 NOT_FOUND', '409 AMBIGUOUS_ID'],
        answers: { 'text/plain': 'For people.' },
      }),
      asks(asked),
      (c) => {
        const explained = explainPayment(c.env.world, find(c), c.env.baseUrl)
        const { format } = c.req.valid('query')
        const plain = format === undefined && accepts(c, formats) === 'text/plain'
        return plain || format === 'text' ? c.text(explanationText(explained)) : json(c, explained)
      },
    )

    .post(
      '/_mfano/payments/:id/resolve',
      about('End a payment with a status', {
        path: {
          id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
        },
        errors: ['404 NOT_FOUND', '409 AMBIGUOUS_ID', '409 ILLEGAL_TRANSITION', '402 INSUFFICIENT_FUNDS'],
      }),
      takes(resolution),
      async (c) => {
        const { status, with: extra } = c.req.valid('json')
        const { uuid } = find(c)
        const payment = await c.env.world.perform({
          command: 'resolve-payment',
          uuid,
          status,
          ...(extra && { with: extra as JsonObject }),
        })
        return json(c, detail(c, payment))
      },
    )
}

function find(c: Context<ControlEnv, '/:id'>): Payment {
  return findPayment(c.env.world, c.env.worlds, c.req.param('id'))
}

/** Everything about one payment. */
export type PaymentDetail = ReturnType<typeof detail>

function detail({ env: { world, baseUrl } }: ControlContext, payment: Payment) {
  const { core } = world
  return {
    ...paymentSummary(core, payment),
    /** As the service's own read gives it; null for kinds that it has no record of. */
    record: record(core, payment),
    request: payment.request,
    /** What the scenario decided for it. */
    plan: planOf(payment),
    /** Each rule up to the one that decided, and why it did not. */
    trace: explainTrace(decidingVersion(core, payment), payment.kind, payment.plan.trace),
    timeline: timeline(core, payment),
    /** What may happen to it now. */
    possible: legalEvents(kindOf(core, payment), payment.status),
    transfers: transfersOf(core, payment),
    callbacks: core.store.callbacks.ofPayment(payment.seq).map((callback) => callbackDetail(core, callback)),
    /** Why it is where it is. */
    explanation: explanation(world, payment, baseUrl),
  }
}
