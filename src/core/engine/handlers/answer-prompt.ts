/** The command by which the holder of a phone answers a prompt. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, kindOf } from '../../core.ts'
import { promptsOn, spendable } from '../../handset.ts'
import { eventOfWait, step } from '../../lifecycle.ts'
import { LANE } from '../../model/due.ts'
import type { KindPrompt, PromptFailure } from '../../model/kind.ts'
import type { Payment } from '../../model/payment.ts'
import { askedAtUs, isIgnored, PROMPT_LASTS_US, promptWaits } from '../../model/phone-prompt.ts'
import { Refusal } from '../../model/refusal.ts'
import { keep, takeStep } from './step-payment.ts'

export function answerPrompt(core: Core, input: Command<'answer-prompt'>): CommandResult<'answer-prompt'> {
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
  { answer, pin }: Pick<Command<'answer-prompt'>, 'answer' | 'pin'>,
): PromptFailure | undefined {
  if (answer === 'cancel') return 'cancelled'
  const rightPin = pin === undefined || pin === core.scenario.directory.subscriber(phone).pin
  if (answer === 'wrong-pin' || !rightPin) return 'wrong-pin'
  const balanceMinor = spendable(core, phone)
  return balanceMinor !== null && balanceMinor < payment.amountMinor ? 'insufficient-funds' : undefined
}

function ignore(core: Core, payment: Payment): Payment {
  if (isIgnored(payment)) return payment
  const { agenda } = core.store
  for (const wait of promptWaits) {
    const event = eventOfWait(kindOf(core, payment), payment.status, wait)
    if (event === undefined) continue
    agenda.cancel(LANE.steps, payment.seq, payment, event)
    if (wait !== 'unanswered') continue
    const overAtUs = Math.max(
      askedAtUs(kindOf(core, payment), payment) + (payment.plan.promptUs ?? PROMPT_LASTS_US),
      core.clock.now(),
    )
    agenda.add(LANE.steps, overAtUs, payment.seq, event, payment)
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
