import * as z from 'zod'
import { type Core, kindOf } from '../../core/core.ts'
import type { KeptCard } from '../../core/model/directory.ts'
import type { PageDetails } from '../../core/model/kind.ts'
import { passesLuhn } from '../../core/model/mask.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import { formatInstant, type InstantUs } from '../../core/model/time.ts'
import type { Command } from '../../core/perform.ts'
import type { World } from '../../core/world.ts'
import { paymentSummary } from '../../inspect/present.ts'
import { type Reader, view } from '../../inspect/view.ts'
import { type ControlBindings, invalidField } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { findPayment } from './payments.ts'

type PageContext = Pick<ControlBindings, 'world' | 'baseUrl'>

const checkoutSession = view('CheckoutSession', (read: Reader<Payment, PageContext>) => ({
  ...paymentSummary.fields(({ world }: PageContext) => world.core),
  checkoutUrl: read(z.string(), (payment, { world, baseUrl }) =>
    must(kindOf(world.core, payment).page).url(world.core, payment, baseUrl),
  ),
  successUrl: read(z.string(), (payment, { world }) => sessionDetails(world.core, payment).successUrl),
  cancelUrl: read(z.string(), (payment, { world }) => sessionDetails(world.core, payment).cancelUrl),
}))

export function sessionDetails(core: Core, payment: Payment): PageDetails {
  return must(kindOf(core, payment).page).details(payment.request)
}

const text = z.string().max(120)

const writtenCard = z.strictObject({
  number: text.describe('13 to 19 digits.'),
  expiry: text.describe('MM/YY.'),
  cvc: text.describe('Three or four digits.'),
})
type WrittenCard = z.output<typeof writtenCard>

const paying = z.strictObject({
  method: z.enum(['CARD', 'MPESA_STK']).describe('How it is paid.'),
  card: writtenCard.optional().describe('As the payer types it on the page. Default: a card that is approved.'),
  phoneNumber: text.optional().describe("The phone that gets the prompt. Default: the session's `customerPhone`."),
  challenge: z.enum(['approve', 'refuse', 'abandon']).optional().describe('Answer to the challenge of the bank.'),
})

const ofSession = {
  params: { id: 'A checkout session: its uuid, its token, or any other id of it.' },
  answer: checkoutSession.schema,
  errors: ['AMBIGUOUS_ID', 'ILLEGAL_TRANSITION'],
} as const

export const checkoutOperations = [
  controlOperation('checkout.pay', 'POST /checkout/:id/pay', {
    summary: 'Pay a checkout session without its page',
    ...ofSession,
    body: paying,
    errors: [...ofSession.errors, 'METHOD_NOT_OFFERED'],
    async run({ env, world, params, body }) {
      const session = sessionOf(world, params.id)
      const { uuid } = session
      const { challenge, phoneNumber, ...entered } = body
      const read =
        entered.method === 'CARD' && !entered.card
          ? { paid: { method: entered.method } }
          : readPayer(world.core, session, { ...entered, phone: phoneNumber })
      if (!('paid' in read)) throw notPayable(read.problems)
      const challenged = 'card' in read.paid && read.paid.card?.outcome === 'challenge'
      if (challenge !== undefined && !challenged)
        throw invalidField(
          'challenge: only a card with the outcome challenge is asked; leave it out, or pay with such a card',
        )
      const paid = await world.perform({ command: 'pay-session', uuid, by: 'payer', ...read.paid })
      if (challenge !== 'approve' && challenge !== 'refuse') return checkoutSession(paid, env)
      const answer = challengeAnswers[challenge]
      return checkoutSession(await world.perform({ command: 'signal-payment', uuid, by: 'payer', ...answer }), env)
    },
  }),
  controlOperation('checkout.cancel', 'POST /checkout/:id/cancel', {
    summary: 'Cancel a checkout session as its payer',
    ...ofSession,
    async run({ env, world, params }) {
      const { uuid } = sessionOf(world, params.id)
      return checkoutSession(await world.perform({ command: 'leave-session', uuid }), env)
    },
  }),
] as const

function sessionOf(world: World, id: string): Payment {
  const payment = findPayment(world, id)
  if (kindOf(world.core, payment).page) return payment
  throw invalidField(`id: must name a checkout session, and ${payment.uuid} is a ${payment.kind} payment`)
}

function notPayable(problems: object): Refusal {
  const name = (field: string) => (field === 'phoneNumber' ? field : `card.${field}`)
  return invalidField(
    Object.entries(problems)
      .map(([field, problem]) => `${name(field)}: ${problem}`)
      .join(' '),
  )
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
  const written = entered.phone ?? sessionDetails(core, payment).phone ?? ''
  if (!/\d/.test(written)) return { problems: { phoneNumber: 'Enter the phone number that pays.' } }
  const phone = service.countries.typedPhone(written)
  if (phone === undefined) return { problems: { phoneNumber: 'Enter a phone number such as 0712 345 678.' } }
  return { paid: { method, phone } }
}

export const challengeAnswers = {
  approve: { event: 'CONFIRM' },
  refuse: { event: 'FAIL', with: { failure: 'challenge-refused' } },
}

// Payment cards as they are typed. Only the brand and the last four digits are kept, so that no database holds a card
// number.

export type CardProblems = Partial<Record<keyof WrittenCard, string>>

interface Brand {
  name: string
  begins: RegExp
  lengths: readonly number[]
  cvc: number
}

const brands: readonly Brand[] = [
  { name: 'Visa', begins: /^4/, lengths: [13, 16, 19], cvc: 3 },
  { name: 'Mastercard', begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], cvc: 3 },
  { name: 'American Express', begins: /^3[47]/, lengths: [15], cvc: 4 },
]

export function readCard(
  written: WrittenCard,
  nowUs: InstantUs,
): { card: KeptCard & { digits: string }; problems?: undefined } | { problems: CardProblems } {
  const digits = written.number.replace(/[\s-]/g, '')
  const brand = brands.find(({ begins }) => begins.test(digits))
  const looked = {
    number: numberProblem(digits, brand),
    expiry: expiryProblem(written.expiry, nowUs),
    cvc: cvcProblem(written.cvc.trim(), brand),
  }
  const problems: CardProblems = Object.fromEntries(Object.entries(looked).filter(([, one]) => one !== undefined))
  if (!brand || Object.keys(problems).length > 0) return { problems }
  return { card: { brand: brand.name, last4: digits.slice(-4), digits } }
}

function numberProblem(digits: string, brand: Brand | undefined): string | undefined {
  if (digits === '') return 'Enter the card number.'
  if (/\D/.test(digits)) return 'A card number has only digits.'
  if (!brand) return 'Use Visa, Mastercard or American Express.'
  if (!brand.lengths.includes(digits.length)) {
    const longest = Math.max(...brand.lengths)
    return `This number is too ${digits.length > longest ? 'long' : 'short'} for ${brand.name}.`
  }
  return passesLuhn(digits) ? undefined : 'This is no card number. Check its digits.'
}

function expiryProblem(written: string, nowUs: InstantUs): string | undefined {
  if (written.trim() === '') return 'Enter the month and year.'
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|20\d{2})\s*$/.exec(written) ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12) return 'Write month/year, such as 08/30.'
  const until = `20${year.slice(-2)}-${month.padStart(2, '0')}`
  return until < formatInstant(nowUs).slice(0, 7) ? 'This card has expired.' : undefined
}

function cvcProblem(cvc: string, brand: Brand | undefined): string | undefined {
  if (cvc === '') return 'Enter the security code.'
  const length = brand?.cvc ?? 3
  return /^\d+$/.test(cvc) && cvc.length === length ? undefined : `The security code has ${length} digits.`
}
