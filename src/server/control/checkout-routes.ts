/** Routes: paying a checkout session without its page. */
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { kindOf } from '../../core/core.ts'
import type { KindPage } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { paymentSummary } from '../../inspect/present.ts'
import { about } from './about.ts'
import { type ControlContext, type ControlEnv, json, takes } from './control-context.ts'
import { findPayment } from './find-payment.ts'
import { challengeAnswers, readPayer } from './payer.ts'

const text = z.string().max(120)
const paying = z.strictObject({
  /** How it is paid. */
  method: z.enum(['CARD', 'MPESA_STK']),
  /** As the payer types it on the page, and checked like there; without it, a card that is approved. */
  card: z
    .strictObject({
      /** 13 to 19 digits. */
      number: text,
      /** MM/YY. */
      expiry: text,
      /** Three or four digits. */
      cvc: text,
    })
    .optional(),
  /** Where the prompt goes; the session's `customerPhone` when left out. */
  phoneNumber: text.optional(),
  /** What the holder of a card that is challenged says to the bank; `abandon`, and without it: nothing. */
  challenge: z.enum(['approve', 'refuse', 'abandon']).optional(),
})

/** The payer at the hosted page, without a browser. An id is the session's uuid, its token, or any other id of it. */
export function checkoutRoutes() {
  return new Hono<ControlEnv>()
    .post(
      '/_mfano/checkout/:id/pay',
      about('Pay a checkout session without its page', {
        path: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
        errors: [
          '404 NOT_FOUND',
          '409 AMBIGUOUS_ID',
          '409 ILLEGAL_TRANSITION',
          '400 INVALID_FIELD',
          '400 METHOD_NOT_OFFERED',
        ],
      }),
      takes(paying),
      async (c) => {
        const { world } = c.env
        const session = sessionOf(c)
        const { uuid } = session
        const { challenge, phoneNumber, ...entered } = c.req.valid('json')
        const read =
          entered.method === 'CARD' && !entered.card
            ? { paid: { method: entered.method } }
            : readPayer(world.core, session, { ...entered, phone: phoneNumber })
        if (!('paid' in read)) throw notPayable(read.problems)
        const challenged = 'card' in read.paid && read.paid.card?.outcome === 'challenge'
        if (challenge !== undefined && !challenged)
          throw invalid(
            'challenge: only a card with the outcome challenge is asked; leave it out, or pay with such a card',
          )
        const paid = await world.perform({ command: 'pay-session', uuid, by: 'payer', ...read.paid })
        if (challenge !== 'approve' && challenge !== 'refuse') return show(c, paid)
        const answer = challengeAnswers[challenge]
        return show(c, await world.perform({ command: 'signal-payment', uuid, by: 'payer', ...answer }))
      },
    )

    .post(
      '/_mfano/checkout/:id/cancel',
      about('Leave a checkout session, as its payer', {
        path: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
        errors: ['404 NOT_FOUND', '409 AMBIGUOUS_ID', '409 ILLEGAL_TRANSITION', '400 INVALID_FIELD'],
      }),
      async (c) => {
        const { world } = c.env
        const session = sessionOf(c)
        const ends = world.core.scenario.assumptions['checkout-cancel'] === 'fails'
        if (ends)
          return show(
            c,
            await world.perform({ command: 'signal-payment', uuid: session.uuid, event: 'CANCEL', by: 'payer' }),
          )
        if (session.status === 'PENDING') return show(c, session)
        throw new Refusal('ILLEGAL_TRANSITION', `the session is ${session.status}; only a PENDING one can be left`, {
          status: 409,
          message: 'The payment is in a state that does not allow this',
        })
      },
    )

    .post(
      '/_mfano/checkout/:id/expire',
      about('Let a checkout session run out', {
        path: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
        errors: ['404 NOT_FOUND', '409 AMBIGUOUS_ID', '409 ILLEGAL_TRANSITION', '400 INVALID_FIELD'],
      }),
      async (c) => {
        const { uuid } = sessionOf(c)
        return show(c, await c.env.world.perform({ command: 'signal-payment', uuid, event: 'EXPIRE', by: 'operator' }))
      },
    )
}

function sessionOf(c: Context<ControlEnv, '/:id'>): Payment {
  const payment = findPayment(c.env.world, c.env.worlds, c.req.param('id'))
  if (kindOf(c.env.world.core, payment).page) return payment
  throw invalid(`id: must name a checkout session, and ${payment.uuid} is a ${payment.kind} payment`)
}

function show(c: ControlContext, payment: Payment) {
  const { world, baseUrl } = c.env
  const page = kindOf(world.core, payment).page as KindPage<unknown>
  const { successUrl, cancelUrl } = page.details(payment.request)
  return json(c, {
    ...paymentSummary(world.core, payment),
    checkoutUrl: page.url(world.core, payment, baseUrl),
    successUrl,
    cancelUrl,
  })
}

/** Field by field, as the page marks them. */
function notPayable(problems: object): Refusal {
  const name = (field: string) => (field === 'phoneNumber' ? field : `card.${field}`)
  return invalid(
    Object.entries(problems)
      .map(([field, problem]) => `${name(field)}: ${problem}`)
      .join(' '),
  )
}

function invalid(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details, { message: 'Invalid field' })
}
