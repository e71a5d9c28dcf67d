/** Reads and checks what a payer enters, and keeps only what may be stored. */
import type { Command } from '../../../core/commands.ts'
import { type Core, kindOf } from '../../../core/core.ts'
import { type CardProblems, readCard, type WrittenCard } from '../../../core/model/card.ts'
import type { Payment } from '../../../core/model/payment.ts'

/** As entered. Missing fields are empty texts. */
export interface Entered {
  method: string
  card?: WrittenCard
  phone?: string | undefined
}

export type PayerProblems = CardProblems & { phoneNumber?: string }

type Paid = Pick<Command<'pay-session'>, 'method' | 'phone' | 'card'>

/** Returns the payment method, or problems by field. The full card number goes no further than this function. */
export function readPayer(
  { clock, scenario, service }: Pick<Core, 'clock' | 'scenario' | 'service'>,
  payment: Pick<Payment, 'kind' | 'request'>,
  entered: Entered,
): { paid: Paid; problems?: undefined } | { problems: PayerProblems } {
  const { method } = entered
  if (method === 'CARD') {
    const read = readCard(entered.card ?? { number: '', expiry: '', cvc: '' }, clock.now())
    if (read.problems) return { problems: read.problems }
    const { digits, ...kept } = read.card
    return { paid: { method, card: { ...kept, outcome: scenario.directory.card(digits) } } }
  }
  const written = entered.phone ?? kindOf({ service }, payment).page?.details(payment.request).phone ?? ''
  if (!/\d/.test(written)) return { problems: { phoneNumber: 'Enter the phone number that pays.' } }
  const phone = service.countries.typedPhone(written)
  if (phone === undefined) return { problems: { phoneNumber: 'Enter a phone number such as 0712 345 678.' } }
  return { paid: { method, phone } }
}

/** The command that each answer to the bank's challenge causes. */
export const challengeAnswers = {
  approve: { event: 'CONFIRM' },
  refuse: { event: 'FAIL', with: { failure: 'challenge-refused' } },
}
