import * as z from 'zod'
import { type Core, kindOf } from '../../core/core.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Command } from '../../core/perform.ts'
import { paymentSummary } from '../../inspect/present.ts'
import { type Reader, view } from '../../inspect/view.ts'
import { type CardProblems, readCard, type WrittenCard } from './card.ts'
import type { ControlContext } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { findPayment } from './payments.ts'

type Shown = Pick<ControlContext['env'], 'world' | 'baseUrl'>

const checkoutSession = view('CheckoutSession', (read: Reader<Payment, Shown>) => ({
  ...paymentSummary.fields(({ world }: Shown) => world.core),
  checkoutUrl: read(z.string(), (payment, { world, baseUrl }) =>
    pageOf(world.core, payment).url(world.core, payment, baseUrl),
  ),
  successUrl: read(z.string(), (payment, { world }) => pageOf(world.core, payment).details(payment.request).successUrl),
  cancelUrl: read(z.string(), (payment, { world }) => pageOf(world.core, payment).details(payment.request).cancelUrl),
}))

function pageOf(core: Core, payment: Payment) {
  return must(kindOf(core, payment).page)
}

const text = z.string().max(120)

const paying = z.strictObject({
  method: z.enum(['CARD', 'MPESA_STK']).describe('How it is paid.'),
  card: z
    .strictObject({
      number: text.describe('13 to 19 digits.'),
      expiry: text.describe('MM/YY.'),
      cvc: text.describe('Three or four digits.'),
    })
    .optional()
    .describe('As the payer types it on the page. Default: a card that is approved.'),
  phoneNumber: text.optional().describe("The phone that gets the prompt. Default: the session's `customerPhone`."),
  challenge: z
    .enum(['approve', 'refuse', 'abandon'])
    .optional()
    .describe('The answer of the card holder to the challenge of the bank. Default: none.'),
})

export const checkoutOperations = [
  controlOperation('checkout.pay', 'POST /checkout/:id/pay', {
    summary: 'Pay a checkout session without its page',
    params: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
    body: paying,
    answer: checkoutSession.schema,
    errors: ['NOT_FOUND', 'AMBIGUOUS_ID', 'ILLEGAL_TRANSITION', 'INVALID_FIELD', 'METHOD_NOT_OFFERED'],
    async run(c, { params, body }) {
      const { world } = c.env
      const session = sessionOf(c, params.id)
      const { uuid } = session
      const { challenge, phoneNumber, ...entered } = body
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
      if (challenge !== 'approve' && challenge !== 'refuse') return checkoutSession(paid, c.env)
      const answer = challengeAnswers[challenge]
      return checkoutSession(await world.perform({ command: 'signal-payment', uuid, by: 'payer', ...answer }), c.env)
    },
  }),
  controlOperation('checkout.cancel', 'POST /checkout/:id/cancel', {
    summary: 'Cancel a checkout session as its payer',
    params: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
    answer: checkoutSession.schema,
    errors: ['NOT_FOUND', 'AMBIGUOUS_ID', 'ILLEGAL_TRANSITION', 'INVALID_FIELD'],
    async run(c, { params }) {
      const { uuid } = sessionOf(c, params.id)
      return checkoutSession(await c.env.world.perform({ command: 'leave-session', uuid }), c.env)
    },
  }),
  controlOperation('checkout.expire', 'POST /checkout/:id/expire', {
    summary: 'Expire a checkout session',
    params: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
    answer: checkoutSession.schema,
    errors: ['NOT_FOUND', 'AMBIGUOUS_ID', 'ILLEGAL_TRANSITION', 'INVALID_FIELD'],
    async run(c, { params }) {
      const { uuid } = sessionOf(c, params.id)
      return checkoutSession(
        await c.env.world.perform({ command: 'signal-payment', uuid, event: 'EXPIRE', by: 'operator' }),
        c.env,
      )
    },
  }),
] as const

function sessionOf({ env: { world } }: ControlContext, id: string): Payment {
  const payment = findPayment(world, id)
  if (kindOf(world.core, payment).page) return payment
  throw invalid(`id: must name a checkout session, and ${payment.uuid} is a ${payment.kind} payment`)
}

function notPayable(problems: object): Refusal {
  const name = (field: string) => (field === 'phoneNumber' ? field : `card.${field}`)
  return invalid(
    Object.entries(problems)
      .map(([field, problem]) => `${name(field)}: ${problem}`)
      .join(' '),
  )
}

function invalid(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details)
}

// Reads and checks what a payer enters, and keeps only what may be stored.

export interface Entered {
  method: string
  card?: WrittenCard
  phone?: string | undefined
}

export type PayerProblems = CardProblems & { phoneNumber?: string }

type Paid = Pick<Command<'pay-session'>, 'method' | 'phone' | 'card'>

/** Returns the payment method, or problems by field. The full card number goes no further than this function. */
export function readPayer(
  core: Core,
  payment: Payment,
  entered: Entered,
): { paid: Paid; problems?: undefined } | { problems: PayerProblems } {
  const { clock, scenario, service } = core
  const { method } = entered
  if (method === 'CARD') {
    const read = readCard(entered.card ?? { number: '', expiry: '', cvc: '' }, clock.now())
    if (read.problems) return { problems: read.problems }
    const { digits, ...kept } = read.card
    return { paid: { method, card: { ...kept, outcome: scenario.directory.card(digits) } } }
  }
  const written = entered.phone ?? kindOf(core, payment).page?.details(payment.request).phone ?? ''
  if (!/\d/.test(written)) return { problems: { phoneNumber: 'Enter the phone number that pays.' } }
  const phone = service.countries.typedPhone(written)
  if (phone === undefined) return { problems: { phoneNumber: 'Enter a phone number such as 0712 345 678.' } }
  return { paid: { method, phone } }
}

export const challengeAnswers = {
  approve: { event: 'CONFIRM' },
  refuse: { event: 'FAIL', with: { failure: 'challenge-refused' } },
}
