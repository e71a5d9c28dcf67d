/** The ways to pay on the checkout page, one form each. They also work without a script. */
import { html } from 'hono/html'
import type { CardOutcome } from '../../core/model/card.ts'
import type { CheckoutView } from './checkout-view.ts'
import type { Html } from './page.ts'

const names: Record<string, string> = { CARD: 'Card', MPESA_STK: 'M-PESA' }

export function paymentForms(view: CheckoutView, amount: string): Html {
  const { entered } = view
  const { methods } = view.session
  const open = entered?.method ?? methods[0]
  const forms: Record<string, (view: CheckoutView, amount: string) => Html> = { CARD: cardForm, MPESA_STK: phoneForm }
  const choices = methods.map((method) => {
    const name = names[method] ?? method
    const form = forms[method]?.(view, amount)
    if (methods.length === 1) return html`<section class="method" aria-label="${name}">${form}</section>`
    return choice({ method, name, chosen: method === open }, form)
  })
  if (methods.length === 1) return html`${choices}`
  return html`<div class="choices" role="radiogroup" aria-label="How to pay">${choices}</div>`
}

/** Radio buttons open one way at a time without a script, and one always stays open. */
function choice(way: { method: string; name: string; chosen: boolean }, form: Html | undefined): Html {
  const { method, name, chosen } = way
  return html`<div class="method"><input type="radio" name="way" id="way-${method}" ${chosen ? 'checked' : ''}>
<label for="way-${method}" data-testid="method-${method}">${name}</label>
<div class="panel">${form}</div></div>
`
}

function cardForm(view: CheckoutView, amount: string): Html {
  const entered = view.entered?.method === 'CARD' ? view.entered : undefined
  const { number, expiry, cvc } = entered?.problems ?? {}
  return html`<form method="post" novalidate data-form="card"><input type="hidden" name="action" value="pay">
${field({ id: 'card-number', name: 'number', label: 'Card number', problem: number, value: entered?.number, more: html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="24"` })}
<div class="pair">
${field({ id: 'card-expiry', name: 'expiry', label: 'Expiry', problem: expiry, value: entered?.expiry, more: html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" maxlength="9"` })}
${field({ id: 'card-cvc', name: 'cvc', label: 'Security code', problem: cvc, more: html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"` })}
</div>
${field({ id: 'card-name', name: 'name', label: 'Name on the card (optional)', value: entered?.name, more: html`autocomplete="cc-name" maxlength="120"`, optional: true })}
<button name="method" value="CARD" data-testid="pay-CARD">Pay <span class="whole">${amount}</span> by card</button></form>
${help(view.cards)}`
}

function phoneForm(view: CheckoutView, amount: string): Html {
  const entered = view.entered?.method === 'MPESA_STK' ? view.entered : undefined
  const value = entered?.phoneNumber ?? view.session.phone
  return html`<form method="post" novalidate><input type="hidden" name="action" value="pay">
${field({ id: 'phone-number', name: 'phoneNumber', label: 'Phone number', problem: entered?.problems.phoneNumber, value, more: html`type="tel" inputmode="tel" autocomplete="tel" placeholder="0712 345 678" maxlength="20"` })}
<button name="method" value="MPESA_STK" data-testid="pay-MPESA_STK">Pay <span class="whole">${amount}</span> with <span class="whole">M-PESA</span></button></form>`
}

interface Field {
  id: string
  name: string
  label: string
  problem?: string | undefined
  value?: string | undefined
  more: Html
  optional?: boolean
}

function field({ id, name, label, problem, value, more, optional }: Field): Html {
  const described = problem === undefined ? '' : html`aria-invalid="true" aria-describedby="${id}-problem"`
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" data-testid="${id}" ${optional ? '' : 'required'} ${more} ${described} value="${value ?? ''}">
${optional ? '' : html`<p class="problem" id="${id}-problem" data-testid="${id}-problem">${problem ?? ''}</p>`}</div>`
}

const words: Record<CardOutcome, string> = {
  approved: 'is approved',
  declined: 'is declined',
  'insufficient-funds': 'has too little money',
  'expired-card': 'has expired, says its bank',
  challenge: 'asks for 3-D Secure: approve, refuse or leave it',
}

function help(cards: CheckoutView['cards']): Html {
  return html`<details class="help" open><summary data-testid="card-help">Cards for tests</summary>
<p>Any future expiry and any code. Other real-looking numbers are approved.</p>
<ul>${cards.map(({ number, outcome }) => html`<li><code>${number.replace(/(\d{4})(?=\d)/g, '$1 ')}</code> ${words[outcome]}</li>`)}</ul></details>`
}
