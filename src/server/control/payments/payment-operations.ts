/** Operations that find, show, explain and resolve payments. */

import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { decidingVersion, kindOf } from '../../../core/core.ts'
import { inSteps } from '../../../core/host.ts'
import { legalEvents, statesOf } from '../../../core/lifecycle.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import {
  endingOfStatus,
  endings,
  explainPayment,
  explanation,
  explanationText,
} from '../../../inspect/explain-payment.ts'
import { callbackDetail, paymentSummary, planOf, record, timeline, transfersOf } from '../../../inspect/present.ts'
import { reportForms } from '../../../inspect/report-forms.ts'
import { paymentDocument } from '../../../inspect/report-lists.ts'
import { searchPayments, searchTexts } from '../../../inspect/search.ts'
import { explainTrace } from '../../../inspect/trace-text.ts'
import { paymentsService } from '../../../service/service.ts'
import { type ControlContext, organisationOf } from '../control-context.ts'
import { type AnswerOf, type AnyOperation, controlOperation } from '../declared-operation.ts'
import { listLimit, pageBefore, searched } from '../list-fields.ts'
import { asRequest } from '../placed.ts'
import { anyJson, instant } from '../time-fields.ts'
import { findPayment } from './find-payment.ts'
import { explainedShape, paymentDetailShape, paymentSummaryShape } from './payment-answers.ts'

function statusesOf(): string[] {
  return [...new Set([...paymentsService.kinds].flatMap((kind) => statesOf(kind)))].sort()
}

const oneOf = (names: string[]) =>
  z.enum(names, {
    error: ({ input }) => `must be one of ${names.join(', ')}${nearestTo(String(input), names)}`,
  })

function nearestTo(given: string, names: readonly string[]): string {
  const guess = didYouMean(given.toUpperCase(), names).trim()
  return guess === '' ? '' : ` (${guess.charAt(0).toLowerCase()}${guess.slice(1)})`
}

const amount = z.coerce
  .number('must be a number')
  .refine((major) => toMinor(major) !== undefined, 'must be an amount with at most two decimals')
  .transform((major) => must(toMinor(major)))

const listOf = () =>
  z.strictObject({
    kind: z
      .enum(paymentsService.kinds.names, `must be one of ${paymentsService.kinds.names.join(', ')}`)
      .optional()
      .describe('Only those of one kind.'),
    status: oneOf(statusesOf()).optional().describe('Only those in this state.'),
    outcome: z
      .enum(endings, `must be one of ${endings.join(', ')}`)
      .optional()
      .describe('Only those that ended so, or are still open, whatever their kind calls it.'),
    since: instant.optional().describe('When it was created, in simulated time; both are in.'),
    until: instant.optional().describe('Up to when it was created, in simulated time.'),
    minAmount: amount.optional().describe('Only those of at least this amount.'),
    maxAmount: amount.optional().describe('Only those of at most this amount.'),
    organisationId: z.string().optional().describe('Only those of one organisation, by its uuid.'),
    referenceId: z.string().optional().describe('Only those with this reference.'),
    search: searched(
      'Part of its uuid, request, reference or record, whatever the case; a phone number in any spelling.',
    ),
    limit: listLimit,
    before: pageBefore,
  })

const resolution = z.strictObject({
  status: z.string().min(1).describe('A state that the payment may come to from where it is.'),
  with: z.record(z.string(), anyJson).optional().describe('Fields of its record, such as an errorCode.'),
})

const asked = z.strictObject({
  format: z
    .enum(['json', 'text', 'html'], 'must be json, text or html')
    .optional()
    .describe('Else as the Accept header says, JSON or text. `html` is one file, to send to somebody.'),
})
const formats = { header: 'Accept' as const, supports: ['application/json', 'text/plain'], default: 'application/json' }

const listPayments = controlOperation('payment.list', {
  method: 'GET',
  path: '/payments',
  summary: 'List payments, newest first',
  query: listOf,
  answer: () =>
    z.object({ total: z.number().nullable(), next: z.number().nullable(), payments: z.array(paymentSummaryShape()) }),
  errors: ['NOT_FOUND'],
  list: {
    name: 'payments',
    columns: [
      'uuid',
      'kind',
      'id',
      'status',
      'amount',
      'currency',
      'organisationId',
      'referenceId',
      'party.type',
      'party.id',
      'party.bank',
      'party.name',
      'rule',
      'reason.code',
      'reason.says',
      'reason.by',
      'reason.name',
      'reason.why',
      'createdAt',
      'updatedAt',
    ],
    rows: ({ payments }) => payments,
  },
  async run(c, { query }) {
    const { kind, status, outcome, organisationId, referenceId, search, since, until, limit, before } = query
    const { world } = c.env
    const { core } = world
    const filter = {
      ...(kind && { kinds: [kind] }),
      ...(status && { status }),
      ...(outcome && { statuses: statusesOf().filter((one) => endingOfStatus(one) === outcome) }),
      ...(since !== undefined && { fromSeq: core.store.payments.firstSince(since) }),
      ...(until !== undefined && { throughSeq: core.store.payments.firstSince(until + 1) - 1 }),
      leastMinor: query.minAmount,
      mostMinor: query.maxAmount,
      ...(organisationId && { organisationIds: [organisationOf(c.env.world, organisationId).id] }),
      ...(referenceId && { referenceId }),
    }
    const texts = search === undefined ? undefined : searchTexts(paymentsService.countries, search)
    const { found, next } = await searchPayments(world, { ...filter, texts }, { limit, before })
    // How many hold a text is known when everything was looked through.
    const looked = next === null && before === undefined ? found.length : null
    return {
      total: texts ? looked : await inSteps(world.host, core.store.payments.counting(filter), c.req.raw.signal),
      next,
      payments: found.map((payment) => paymentSummary(core, payment)),
    }
  },
})

const readPayment = controlOperation('payment.show', {
  method: 'GET',
  path: '/payments/:id',
  summary: 'Show one payment with every detail',
  params: {
    id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
  },
  answer: paymentDetailShape,
  errors: ['NOT_FOUND', 'AMBIGUOUS_ID'],
  run: (c, { params, operations }) => detail(c, find(c, params.id), operations),
})

const explainOnePayment = controlOperation('payment.explain', {
  method: 'GET',
  path: '/payments/:id/explain',
  summary: 'Explain why a payment has its status',
  params: {
    id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
  },
  query: asked,
  answer: explainedShape,
  answers: { 'text/plain': 'For people.', 'text/html': 'One file that needs no network.' },
  errors: ['NOT_FOUND', 'AMBIGUOUS_ID'],
  async run(c, { params, query, operations }) {
    const { world, baseUrl } = c.env
    const explained = explainPayment(world, find(c, params.id), baseUrl, asRequest(operations, baseUrl))
    const { format } = query
    if (format === 'html') return c.html(await reportForms.html[1](paymentDocument(explained, baseUrl)))
    const plain = format === undefined && accepts(c, formats) === 'text/plain'
    return plain || format === 'text' ? c.text(explanationText(explained)) : explained
  },
})

const resolvePayment = controlOperation('payment.resolve', {
  method: 'POST',
  path: '/payments/:id/resolve',
  summary: 'End a pending payment',
  params: {
    id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.',
  },
  body: resolution,
  answer: paymentDetailShape,
  errors: ['NOT_FOUND', 'AMBIGUOUS_ID', 'ILLEGAL_TRANSITION', 'INSUFFICIENT_FUNDS'],
  async run(c, { params, body, operations }) {
    const { status, with: extra } = body
    const { uuid } = find(c, params.id)
    const payment = await c.env.world.perform({
      command: 'resolve-payment',
      uuid,
      status,
      ...(extra && { with: extra }),
    })
    return detail(c, payment, operations)
  },
})

function find(c: ControlContext, id: string): Payment {
  return findPayment(c.env.world, c.env.worlds, id)
}

function detail(
  { env: { world, baseUrl } }: ControlContext,
  payment: Payment,
  operations: readonly AnyOperation[],
): AnswerOf<typeof paymentDetailShape> {
  const { core } = world
  return {
    ...paymentSummary(core, payment),
    record: record(core, payment),
    request: payment.request,
    plan: planOf(payment),
    trace: explainTrace(decidingVersion(core, payment), payment.kind, payment.plan.trace),
    timeline: timeline(core, payment),
    possible: legalEvents(kindOf(core, payment), payment.status),
    transfers: transfersOf(core, payment),
    callbacks: core.store.callbacks.ofPayment(payment.seq).map((callback) => callbackDetail(core, callback)),
    explanation: explanation(world, payment, baseUrl, asRequest(operations, baseUrl)),
  }
}

export const paymentOperations = [listPayments, readPayment, explainOnePayment, resolvePayment] as const
