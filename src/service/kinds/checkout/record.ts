/** Records of checkout sessions. */
import { UPPER_ALPHANUMERIC } from '../../../core/model/chance.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { whole } from '../../../core/model/wire.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { localDate } from '../../declared/record-parts.ts'
import type { CheckoutRequest } from './contract.ts'

export type Session = Payment<CheckoutRequest>

export const checkoutFailures: Readonly<Record<string, string>> = {
  declined: 'The bank declined the card',
  'insufficient-funds': 'There is too little money for it',
  'expired-card': 'The bank says that the card has expired',
  'challenge-refused': 'It was refused when the bank asked',
  cancelled: 'It was cancelled on the phone',
  'wrong-pin': 'The PIN was wrong',
  unanswered: 'Nobody answered the prompt on the phone',
}

/** `chk_` and 19 upper-case letters and digits; not the session's id. Published form. */
function checkoutToken(view: View, seq: number): string {
  // The first seven characters hold the session's `seq`, so that the page needs no index.
  const order = seq.toString(36).toUpperCase().padStart(7, '0')
  return `chk_${order}${view.ids.of('checkout-token', seq).text(12, UPPER_ALPHANUMERIC)}`
}

export function checkoutSeq(view: View, token: string): number | undefined {
  if (!/^chk_[0-9A-Z]{19}$/.test(token)) return undefined
  const seq = Number.parseInt(token.slice(4, 11), 36)
  return checkoutToken(view, seq) === token ? seq : undefined
}

/** `CHK-20260316-000123`: the date and a counter of six digits. Published form. */
export function checkoutRef(view: View, payment: Session): string {
  return `CHK-${localDate(view, payment.createdAtUs).replaceAll('-', '')}-${String(payment.id).padStart(6, '0')}`
}

export function checkoutUrl(view: View, payment: Session, baseUrl: string): string {
  return `${baseUrl}/session/${checkoutToken(view, payment.seq)}`
}

/** Not in an envelope. Specified. `baseUrl`: the world's, as the caller reaches it. */
export function checkoutAccepted(view: View, payment: Session, baseUrl: string) {
  return {
    id: payment.uuid,
    checkoutUrl: checkoutUrl(view, payment, baseUrl),
    checkoutRef: checkoutRef(view, payment),
    status: 'PENDING',
  }
}

/** Not in an envelope. Published. */
export function checkoutRecord(view: View, payment: Session) {
  const { request } = payment
  return {
    id: payment.uuid,
    amount: whole(payment.amountMinor),
    currency: request.currency,
    description: request.description,
    customerEmail: request.customerEmail ?? null,
    customerMsisdn: request.customerPhone ?? null,
    externalRef: request.externalReference ?? null,
    paymentMethods: request.paymentMethods,
    merchantDisplayName: view.store.organisations.byId(payment.organisationId).name,
    merchantLogoUrl: null,
    status: payment.status,
  }
}

/** No source shows its body. Assumed (`checkout-callback`). */
export function checkoutCallback(view: View, payment: Session) {
  const short = { id: payment.uuid, checkoutRef: checkoutRef(view, payment), status: payment.status }
  if (chosen(view)['checkout-callback'] === 'short') return short
  return {
    id: payment.uuid,
    checkoutRef: checkoutRef(view, payment),
    externalReference: payment.request.externalReference ?? null,
    paymentReference: payment.request.paymentReference ?? null,
    status: payment.status,
    amount: whole(payment.amountMinor),
    currency: payment.request.currency,
  }
}
