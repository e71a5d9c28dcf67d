/** A phone, as the handset page and the control plane show it. */
import { type Core, kindOf } from '../core/core.ts'
import { currencyOfPhone, nextOf, promptsOn, spendable } from '../core/handset.ts'
import { toMajor } from '../core/model/money.ts'
import type { Payment } from '../core/model/payment.ts'
import { askedAtUs, isHeld, isIgnored } from '../core/model/phone-prompt.ts'
import { isoInstant } from '../core/model/time.ts'
import { messagesTo } from './handset/messages.ts'

const MESSAGES = 100

export type PhoneView = ReturnType<typeof phoneView>

export function phoneView(core: Core, phone: string) {
  const { name, network } = core.scenario.directory.subscriber(phone)
  const balanceMinor = spendable(core, phone)
  return {
    phone,
    name,
    network,
    currency: currencyOfPhone(core, phone),
    balance: balanceMinor === null ? null : toMajor(balanceMinor),
    prompts: promptsOn(core, phone).map((payment) => promptView(core, payment)),
    messages: messagesTo(core, phone)
      .slice(0, MESSAGES)
      .map(({ atUs, from, text, payment }) => ({ at: isoInstant(atUs), from, text, payment: payment.uuid })),
  }
}

function promptView(core: Core, payment: Payment) {
  const { uuid, kind, currency, amountMinor, request, organisationId } = payment
  const next = nextOf(core, payment)
  const about = kindOf(core, payment)
  return {
    id: uuid,
    kind,
    merchant: core.store.organisations.byId(organisationId).name,
    amount: toMajor(amountMinor),
    currency,
    reference: about.prompt?.reference(core, payment) ?? null,
    description: typeof request['description'] === 'string' ? request['description'] : null,
    askedAt: isoInstant(askedAtUs(about, payment)),
    expiresAt: next ? isoInstant(next.atUs) : null,
    otherwise: next?.status ?? null,
    ignored: isIgnored(payment),
    held: isHeld(payment),
  }
}
