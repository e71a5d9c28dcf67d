/** The command that keeps a prompt open while somebody looks at it. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, kindOf } from '../../core.ts'
import { eventOfWait } from '../../lifecycle.ts'
import { LANE } from '../../model/due.ts'
import type { Payment } from '../../model/payment.ts'
import { isHeld, isIgnored, isPrompt, promptWaits } from '../../model/phone-prompt.ts'
import { find, keep } from './step-payment.ts'

export function holdPrompt(core: Core, { uuid, untilUs }: Command<'hold-prompt'>): CommandResult<'hold-prompt'> {
  const payment = find(core, uuid)
  const kind = kindOf(core, payment)
  if (!isPrompt(kind, payment) || isIgnored(payment)) return payment
  const events = promptWaits.map((wait) => eventOfWait(kind, payment.status, wait))
  const due = core.store.agenda.of(LANE.steps, payment.seq)
  const early = due.filter(({ event, dueAtUs }) => events.includes(event) && dueAtUs < untilUs)
  for (const { event } of early) putOff(core, payment, event, untilUs)
  if (early.length === 0) return payment
  if (!isHeld(payment)) return keep(core, payment, 'hold', 'payer')
  core.store.payments.save(payment)
  return payment
}

function putOff(core: Core, payment: Payment, event: string, untilUs: number): void {
  core.store.agenda.cancel(LANE.steps, payment.seq, payment, event)
  core.store.agenda.add(LANE.steps, untilUs, payment.seq, event, payment)
}
