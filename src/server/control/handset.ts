import * as z from 'zod'
import { type Core, kindOf } from '../../core/core.ts'
import {
  asksOnPhone,
  beganWith,
  currencyOfPhone,
  type HandsetMovement,
  isWithPhone,
  kindNames,
  movementsOf,
  promptsOn,
  spendable,
} from '../../core/handset.ts'
import { localTime, type Zone } from '../../core/model/calendar.ts'
import { LANE } from '../../core/model/due.ts'
import { askedAtUs, isHeld, isIgnored, promptAnswers, receiptOf } from '../../core/model/kind.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import { hintOf } from '../../core/model/problems.ts'
import { type InstantUs, isoInstant } from '../../core/model/time.ts'
import { majorOf, type Reader, view } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { invalidField, prefers } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { listLimit } from './fields.ts'
import { sampleCollection } from './payments.ts'

const MESSAGES = 100

const promptView = view(null, (read: Reader<Payment, Core>) => ({
  id: read(z.string(), ({ uuid }) => uuid),
  kind: z.string(),
  merchant: read(z.string(), ({ organisationId }, { store }) => store.organisations.byId(organisationId).name),
  amount: majorOf('amountMinor'),
  currency: z.string(),
  reference: read(
    z.string().nullable(),
    (payment, core) => kindOf(core, payment).prompt?.reference(core, payment) ?? null,
  ),
  description: read(z.string().nullable(), ({ request: { description } }) =>
    typeof description === 'string' ? description : null,
  ),
  askedAt: read(z.string(), (payment, core) => isoInstant(askedAtUs(kindOf(core, payment), payment))),
  expiresAt: read(
    z.string().nullable().describe('When it goes away by itself, and what its payment becomes then; null: never.'),
    (payment, core) => {
      const next = nextOf(core, payment)
      return next ? isoInstant(next.atUs) : null
    },
  ),
  otherwise: read(z.string().nullable(), (payment, core) => nextOf(core, payment)?.status ?? null),
  ignored: read(z.boolean(), isIgnored),
  held: read(z.boolean().describe('It waits longer, because somebody has the page of the phone open.'), isHeld),
}))

export const phoneView = view('PhoneView', (read: Reader<string, Core>) => ({
  phone: read(z.string(), (phone) => phone),
  name: read(z.string(), (phone, { scenario }) => scenario.directory.subscriber(phone).name),
  network: read(z.string(), (phone, { scenario }) => scenario.directory.subscriber(phone).network),
  currency: read(z.string(), (phone, core) => currencyOfPhone(core, phone)),
  balance: read(
    z.number().nullable().describe("Money left of the directory's balance; null: no limit."),
    (phone, core) => {
      const balanceMinor = spendable(core, phone)
      return balanceMinor === null ? null : toMajor(balanceMinor)
    },
  ),
  prompts: read(z.array(promptView.schema()), (phone, core) =>
    promptsOn(core, phone).map((payment) => promptView(payment, core)),
  ),
  messages: read(
    z.array(z.object({ at: z.string(), from: z.string(), text: z.string(), payment: z.string() })),
    (phone, core) =>
      messagesTo(core, phone)
        .slice(0, MESSAGES)
        .map(({ atUs, from, text, payment }) => ({ at: isoInstant(atUs), from, text, payment: payment.uuid })),
  ),
}))

export type PhoneView = ReturnType<typeof phoneView>

// Text messages to phones. Wording is ours, modelled on real ones: assumed.

const NEWEST = 200

function messagesTo(core: Core, phone: string) {
  const { network: from } = core.scenario.directory.subscriber(phone)
  const service = core.service.countries.moneyServiceOf(from)
  // Networks write in their country's time, even if the scenario names no zone.
  const { zone } = core.service.countries.ofPhone(phone)
  let balanceMinor = beganWith(core, phone)
  const receipts = movementsOf(core, phone).map((movement) => {
    if (balanceMinor !== null) balanceMinor += movement.byMinor
    const { payment, atUs } = movement
    return { atUs, from, payment, text: receiptText(core, movement, service, balanceMinor, zone) }
  })
  return [...receipts, ...failures(core, phone, from, service)].sort((a, b) => b.atUs - a.atUs)
}

function receiptText(
  core: Core,
  { payment, atUs, back }: HandsetMovement,
  service: string,
  balanceMinor: number | null,
  zone: Zone,
): string {
  const amount = moneyText(core, payment, payment.amountMinor)
  const merchant = merchantOf(core, payment)
  const receipt = receiptOf(core, payment)
  const balance = balanceMinor === null ? '' : ` New ${service} balance is ${moneyText(core, payment, balanceMinor)}.`
  const when = whenText(zone, atUs)
  if (back)
    return `${receipt} Confirmed. Your transaction with ${merchant} of ${amount} was reversed ${when}.${balance}`
  if (kindOf(core, payment).direction === 'out')
    return `${receipt} Confirmed. You have received ${amount} from ${merchant} ${when}.${balance}`
  return `${receipt} Confirmed. ${amount} paid to ${merchant}. ${when}.${balance}`
}

function nextOf({ store }: Core, payment: Payment): { atUs: InstantUs; status: string } | null {
  const due = store.agenda.of(LANE.steps, payment.seq)[0]
  if (!due) return null
  const status = due.event === 'unanswered' ? 'FAILED' : due.event === 'prompt' ? 'PROCESSING' : payment.plan.end
  return { atUs: due.dueAtUs, status }
}

/** Networks explain little: only a lack of money or a wrong PIN. */
function failures(core: Core, phone: string, from: string, service: string) {
  return core.store.payments
    .page({ kinds: kindNames(core, asksOnPhone), party: phone, status: 'FAILED' }, { limit: NEWEST, newestFirst: true })
    .flatMap((payment) => {
      const text = failureText(core, payment, service)
      return text === undefined ? [] : [{ atUs: payment.updatedAtUs, from, text, payment }]
    })
}

function failureText(core: Core, payment: Payment, service: string): string | undefined {
  const { responseCode, failure } = payment.details
  const amount = moneyText(core, payment, payment.amountMinor)
  if (responseCode === 1 || failure === 'insufficient-funds')
    return `Failed. You do not have enough money in your ${service} account to pay ${amount} to ${merchantOf(core, payment)}.`
  if (responseCode === 2001 || failure === 'wrong-pin')
    return `Failed. You have entered a wrong PIN. ${amount} was not paid to ${merchantOf(core, payment)}.`
  return undefined
}

function merchantOf({ store }: Core, { organisationId }: Payment): string {
  return store.organisations.byId(organisationId).name.toUpperCase()
}

function moneyText({ service }: Core, { currency }: Payment, amountMinor: number): string {
  const figure = toMajor(amountMinor).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${service.countries.ofCurrency(currency).sign}${figure}`
}

function whenText({ offsetUs }: Zone, atUs: InstantUs): string {
  const { date, hour, minute } = localTime(atUs, offsetUs)
  const [year = '', month, day] = date.split('-')
  const time = `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
  return `on ${Number(day)}/${Number(month)}/${year.slice(2)} at ${time}`
}

const reply = z.strictObject({
  answer: z.enum(promptAnswers).describe('Act of whoever holds the phone.'),
  pin: z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional()
    .describe('The PIN that is typed, else the right one.'),
})

const phoneScreen = {
  facts: ['phone', 'name', 'network', 'balance'],
  parts: {
    prompts: ['Prompts', ['id=payment:word', 'amount', 'merchant', 'expiresAt']],
    messages: ['Messages', ['at', 'from:word', 'text']],
  },
} as const

export const handsetOperations = [
  controlOperation('handset.list', 'GET /handset', {
    summary: 'List phones that have prompts or messages',
    query: z.strictObject({ limit: listLimit }),
    answer: () =>
      z.object({ phones: z.array(phoneView.schema().extend({ prompts: z.number(), messages: z.number() })) }),
    list: {
      rows: 'phones',
      none: hintOf('No phones yet. Simulate a payment by phone: {}', 'payment.collect', sampleCollection),
      columns: ['phone', 'name', 'network', 'balance', 'prompts', 'messages'],
    },
    run({ world, query }) {
      const { core } = world
      const { limit } = query
      return {
        phones: core.store.payments.parties(kindNames(core, isWithPhone), limit).map((phone) => {
          const { messages, prompts, ...holder } = phoneView(phone, core)
          return { ...holder, prompts: prompts.length, messages: messages.length }
        }),
      }
    },
  }),
  controlOperation('handset.show', 'GET /handset/:phone', {
    summary: 'Show one phone with prompts and messages',
    params: { phone: 'A phone number, such as 254712345678.' },
    answer: phoneView.schema,
    answers: { 'text/html': 'A browser is led to the phone on the screen.' },
    screen: { ...phoneScreen, examples: ['254712345678'] },
    run({ c, env, world, params }) {
      const phone = phoneOf(params.phone)
      if (prefers(c, 'text/html')) return c.redirect(`${env.baseUrl}/_mfano/handset/${phone}/`, 302)
      return phoneView(phone, world.core)
    },
  }),
  controlOperation('handset.answer', 'POST /handset/:phone/:prompt', {
    summary: 'Answer a prompt on a phone',
    params: { phone: 'A phone number, such as 254712345678.', prompt: 'The uuid of the payment that asks.' },
    body: reply,
    answer: phoneView.schema,
    errors: ['PROMPT_GONE', 'NO_SUCH_PROMPT', 'ILLEGAL_TRANSITION', 'RESOURCE_NOT_FOUND'],
    screen: phoneScreen,
    async run({ world, params, body }) {
      const phone = phoneOf(params.phone)
      const { answer, pin } = body
      if (pin !== undefined && answer !== 'approve')
        throw invalidField(`pin: only "approve" takes one, and the answer is "${answer}"`)
      const uuid = params.prompt.toLowerCase()
      await world.perform({ command: 'answer-prompt', uuid, phone, answer, pin })
      return phoneView(phone, world.core)
    },
  }),
] as const

function phoneOf(written: string): string {
  const phone = paymentsService.countries.typedPhone(written)
  if (phone !== undefined) return phone
  throw invalidField(`phone: must be a phone number such as 254712345678, got "${written.slice(0, 80)}"`)
}
