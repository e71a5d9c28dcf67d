import { type Core, emitPaymentEvent, kindOf } from '../core.ts'
import { promptsOn } from '../handset.ts'
import { mayWait, step } from '../lifecycle.ts'
import type { CardOutcome, KeptCard } from '../model/directory.ts'
import { LANE } from '../model/due.ts'
import {
  askedAtUs,
  isHeld,
  isIgnored,
  isPrompt,
  type KindPrompt,
  PROMPT_LASTS_US,
  type PromptAnswer,
  type PromptFailure,
  promptWaits,
} from '../model/kind.ts'
import type { JsonObject, Payment } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import { find, illegal, isPhoneShort, keep, signalPayment, takeStep } from './payments.ts'

interface SessionPaid {
  uuid: string
  by: 'payer' | 'operator'
  method: string
  /** Gets the prompt; by default the request's. */
  phone?: string
  /** Masked, as it may be stored, with its bank's answer; by default approved. */
  card?: KeptCard & { outcome: CardOutcome }
}

export function paySession(core: Core, { uuid, by, ...paid }: SessionPaid): Payment {
  const payment = find(core, uuid)
  const kind = kindOf(core, payment)
  const session = kind.page?.details(payment.request)
  const offered = session?.methods
  if (!offered?.includes(paid.method)) throw notOffered(paid.method, offered)
  const challenged = paid.card?.outcome === 'challenge'
  const event = `PAY_${paid.method}${challenged ? '_CHALLENGE' : ''}`
  const next = step(kind, payment.status, event, { endsWell: true })
  if (!next) throw illegal(core, payment, `does not accept ${event}`)
  const details: JsonObject = { method: paid.method }
  if (paid.card) {
    const { outcome, brand, last4 } = paid.card
    details['card'] = { brand, last4 }
    if (challenged) details['challenge'] = 'asked'
    else if (outcome !== 'approved') details['declined'] = outcome
  }
  const phone = core.service.countries.internationalPhone(paid.phone ?? session?.phone ?? '')
  if (paid.method === 'MPESA_STK' && phone !== '') {
    details['phoneNumber'] = phone
    core.store.payments.setParty(payment.seq, phone)
  }
  return takeStep(core, payment, event, next, by, details)
}

export function leaveSession(core: Core, { uuid }: { uuid: string }): Payment {
  if (core.scenario.assumptions['checkout-cancel'] === 'fails')
    return signalPayment(core, { uuid, event: 'CANCEL', by: 'payer' })
  const payment = find(core, uuid)
  if (payment.status !== 'PENDING') throw illegal(core, payment, 'can no longer be cancelled by its payer')
  if (payment.history.at(-1)?.event === 'leave') return payment
  keep(core, payment, 'leave', 'payer')
  emitPaymentEvent(core, payment, payment.status, 'payer')
  return payment
}

function notOffered(method: string, offered: readonly string[] | undefined): Refusal {
  const ways = offered ? `expected ${offered.join(' or ')}` : 'expected a checkout session'
  return new Refusal('METHOD_NOT_OFFERED', `method: ${ways}, got "${method.slice(0, 40)}"`)
}

interface AnsweredPrompt {
  uuid: string
  phone: string
  answer: PromptAnswer
  pin?: string | undefined
}

export function answerPrompt(core: Core, input: AnsweredPrompt): Payment {
  const phone = core.service.countries.internationalPhone(input.phone)
  const payment = promptsOn(core, phone).find(({ uuid }) => uuid === input.uuid)
  if (!payment) throw noPrompt(core, phone, input.uuid)
  if (input.answer === 'ignore') return ignore(core, payment)
  const failure = failureOf(core, phone, payment, input)
  const kind = kindOf(core, payment)
  const prompt = kind.prompt as KindPrompt<unknown>
  const event = failure ? 'FAIL' : prompt.approve
  const next = step(kind, payment.status, event, { endsWell: !failure })
  if (!next) throw new Error(`A prompt of a ${kind.name} payment in ${payment.status} does not take ${event}`)
  return takeStep(core, payment, event, next, 'payer', failure ? prompt.failed(failure) : {})
}

function failureOf(
  core: Core,
  phone: string,
  payment: Payment,
  { answer, pin }: AnsweredPrompt,
): PromptFailure | undefined {
  if (answer === 'cancel') return 'cancelled'
  const rightPin = pin === undefined || pin === core.scenario.directory.subscriber(phone).pin
  if (answer === 'wrong-pin' || !rightPin) return 'wrong-pin'
  return isPhoneShort(core, phone, payment) ? 'insufficient-funds' : undefined
}

function ignore(core: Core, payment: Payment): Payment {
  if (isIgnored(payment)) return payment
  const { agenda } = core.store
  for (const wait of promptWaits) {
    if (!mayWait(kindOf(core, payment), payment.status, wait)) continue
    agenda.cancel(LANE.steps, payment.seq, wait)
    if (wait !== 'unanswered') continue
    const overAtUs = Math.max(
      askedAtUs(kindOf(core, payment), payment) + (payment.plan.promptUs ?? PROMPT_LASTS_US),
      core.clock.now(),
    )
    agenda.add(LANE.steps, overAtUs, payment.seq, wait)
  }
  return keep(core, payment, 'ignore', 'payer')
}

function noPrompt(core: Core, phone: string, uuid: string): Refusal {
  const payment = core.store.payments.byUuid(uuid)
  const why = payment
    ? `the payment is ${payment.status} and asks for nothing on this phone`
    : `no payment has the uuid "${uuid.slice(0, 80)}"`
  const prompts = promptsOn(core, phone).map((prompt) => prompt.uuid)
  const there =
    prompts.length > 0 ? `The phone ${phone} shows ${prompts.join(', ')}` : `The phone ${phone} shows none now`
  return new Refusal(payment ? 'PROMPT_GONE' : 'NO_SUCH_PROMPT', `${why}. ${there}.`)
}

/**
 * Somebody looks at a prompt, so it does not time out before `untilUs`. Changes nothing once it was answered or
 * dismissed.
 */
export function holdPrompt(core: Core, { uuid, untilUs }: { uuid: string; untilUs: InstantUs }): Payment {
  const payment = find(core, uuid)
  const kind = kindOf(core, payment)
  if (!isPrompt(kind, payment) || isIgnored(payment)) return payment
  const events: readonly string[] = promptWaits.filter((wait) => mayWait(kind, payment.status, wait))
  const due = core.store.agenda.of(LANE.steps, payment.seq)
  const early = due.filter(({ event, dueAtUs }) => events.includes(event) && dueAtUs < untilUs)
  for (const { event } of early) {
    core.store.agenda.cancel(LANE.steps, payment.seq, event)
    core.store.agenda.add(LANE.steps, untilUs, payment.seq, event)
  }
  return early.length === 0 || isHeld(payment) ? payment : keep(core, payment, 'hold', 'payer')
}
