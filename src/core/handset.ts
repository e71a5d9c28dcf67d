import { type Core, kindOf } from './core.ts'
import { isPaid } from './lifecycle.ts'
import { UNLIMITED } from './model/directory.ts'
import { isPrompt, type Kind } from './model/kind.ts'
import { type Currency, toMinor } from './model/money.ts'
import type { Payment } from './model/payment.ts'
import type { InstantUs } from './model/time.ts'

const NEWEST = 100

export function currencyOfPhone({ service }: Core, phone: string): Currency {
  return service.countries.ofPhone(phone).currency
}

export function promptsOn(core: Core, phone: string): Payment[] {
  return core.store.payments
    .page({ kinds: kindNames(core, asksOnPhone), party: phone }, { limit: NEWEST, newestFirst: true })
    .filter((payment) => isPrompt(kindOf(core, payment), payment))
}

export function asksOnPhone({ prompt }: Kind): boolean {
  return prompt !== undefined
}

export function isWithPhone({ party }: Kind): boolean {
  return party?.type === 'phone'
}

export function kindNames({ service }: Core, wanted: (kind: Kind) => boolean): string[] {
  return service.kinds.filter(wanted).map(({ name }) => name)
}

export interface HandsetMovement {
  payment: Payment
  atUs: InstantUs
  /** Minor units; positive when the phone gained money. */
  byMinor: number
  back: boolean
}

/**
 * In order. All movements where a balance has to be derived, otherwise only the newest, because a phone with unlimited
 * money may be in a million payments.
 */
export function movementsOf(core: Core, phone: string): HandsetMovement[] {
  const { payments } = core.store
  const wanted = { kinds: kindNames(core, isWithPhone), party: phone, currency: currencyOfPhone(core, phone) }
  const all = beganWith(core, phone) !== null
  const found: HandsetMovement[] = []
  for (const payment of all ? payments.each(wanted) : payments.page(wanted, { limit: NEWEST, newestFirst: true })) {
    const { page, direction } = kindOf(core, payment)
    if (page && !paidByPhone(payment)) continue
    const way = direction === 'out' ? 1 : -1
    let done = false
    for (const { status, atUs } of payment.history) {
      const isDone = isPaid(status)
      if (isDone !== done)
        found.push({ payment, atUs, byMinor: (isDone ? way : -way) * payment.amountMinor, back: done })
      done = isDone
    }
  }
  return found.sort((a, b) => a.atUs - b.atUs)
}

/** Minor units; null without limit. */
export function spendable(core: Core, phone: string): number | null {
  const beganMinor = beganWith(core, phone)
  if (beganMinor === null) return null
  return movementsOf(core, phone).reduce((sum, { byMinor }) => sum + byMinor, beganMinor)
}

export function beganWith({ scenario }: Core, phone: string): number | null {
  const { balance } = scenario.directory.subscriber(phone)
  return balance >= UNLIMITED ? null : (toMinor(balance) ?? 0)
}

function paidByPhone({ history, details }: Payment): boolean {
  return details['challenge'] === undefined && history.some(({ status }) => status === 'REQUIRES_CUSTOMER_ACTION')
}
