import { html } from 'hono/html'
import { toMajor } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { formatInstant } from '../model/time.ts'
import { checkoutRef } from '../records/checkout.ts'
import type { Html } from './kit.ts'

/** Why a page is shown in answer to a form. */
export type Notice = 'under-way' | 'not-offered' | 'foreign'

export interface CheckoutView {
  payment: Payment
  merchant: string
  methods: string[]
  successUrl: string
  cancelUrl: string
  notice: Notice | undefined
  frozen: boolean
  nowUs: number
  baseUrl: string
}

/** The session as its payer sees it. */
export function checkoutPage(view: CheckoutView): Html {
  const { payment, merchant } = view
  const reference = payment.request['paymentReference'] as string | undefined
  return html`${simulated}
<main>
<div class="card">
<h1 class="merchant" data-testid="merchant">${merchant}</h1>
<p class="description" data-testid="description">${payment.request['description']}</p>
<p class="amount" data-testid="amount"><span class="currency">${payment.currency}</span> <span class="figure">${figure(payment.amountMinor)}</span></p>
<dl class="facts">
${reference !== undefined && html`<div><dt>Reference</dt><dd data-testid="reference">${reference}</dd></div>`}
<div><dt>Checkout</dt><dd data-testid="checkout-ref">${checkoutRef(payment)}</dd></div>
</dl>
${view.notice !== undefined && noticePart(view, view.notice)}
${statePart(view)}
</div>
</main>`
}

export function missingPage(): Html {
  return html`${simulated}
<main><div class="card">
<h1 class="merchant">No such checkout session</h1>
<div class="state bad" data-testid="status" data-status="NOT_FOUND"><h2>This address belongs to no session of this world.</h2><p>Go back to the shop and start again. A world that was reset has forgotten its sessions.</p></div>
</div></main>`
}

const simulated = html`<p class="simulated" data-testid="simulated">Simulated by mfano: no money moves</p>`

const LABELS: Record<string, string> = { CARD: 'Pay by card', MPESA_STK: 'Pay with M-PESA' }

function figure(amountMinor: number): string {
  return toMajor(amountMinor).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

function statePart(view: CheckoutView): Html {
  const { status } = view.payment
  if (status === 'PENDING') return choices(view)
  if (status === 'REQUIRES_CUSTOMER_ACTION' || status === 'PROCESSING') return underWay(view)
  if (status === 'SUCCEEDED') {
    return html`${state(status, '', 'Paid', `You are on your way back to ${view.merchant}.`)}
<a class="button" data-testid="return" href="${view.successUrl}">Back to ${view.merchant}</a>`
  }
  const words =
    status === 'EXPIRED'
      ? { title: 'This session has expired', text: 'It ran out before it was paid. Nothing was taken.' }
      : { title: 'The payment did not go through', text: 'Nothing was taken.' }
  return html`${state(status, 'bad', words.title, words.text)}
<a class="button" data-testid="return" href="${view.cancelUrl}">Back to ${view.merchant}</a>`
}

function state(status: string, tone: string, title: string, text: string): Html {
  return html`<div class="state ${tone}" role="status" data-testid="status" data-status="${status}"><h2>${title}</h2><p>${text}</p></div>`
}

/** Without an action the form goes to the page's own address, by whatever name the payer reached it. */
function choices({ methods, merchant }: CheckoutView): Html {
  return html`<div class="methods" data-testid="status" data-status="PENDING">
${methods.map(
  (
    method,
  ) => html`<form method="post"><input type="hidden" name="action" value="pay"><button name="method" value="${method}" data-testid="pay-${method}">${LABELS[method] ?? `Pay by ${method}`}</button></form>
`,
)}
<form method="post"><button class="quiet" name="action" value="cancel" data-testid="cancel">Cancel and return to ${merchant}</button></form>
</div>`
}

function underWay(view: CheckoutView): Html {
  const { status, request } = view.payment
  const phone = request['customerPhone'] as string | undefined
  const prompt = `A prompt is on ${phone ?? 'your phone'}. The simulated payer answers it without you.`
  return html`<div class="state" role="status" data-testid="status" data-status="${status}"><h2>Payment under way</h2><p>${
    status === 'REQUIRES_CUSTOMER_ACTION' ? prompt : 'It is being processed.'
  } This page updates by itself.</p></div>
${view.frozen && frozenPart(view)}`
}

/** In a frozen world nothing settles by itself, and a page that turns for ever would be a riddle. */
function frozenPart({ nowUs, baseUrl }: CheckoutView): Html {
  return html`<div class="state wait" data-testid="frozen"><h2>World time stands still</h2><p>It is ${formatInstant(nowUs).slice(0, 19).replace('T', ' ')} and stays so until the clock is advanced. This goes on when somebody does:</p>
<pre tabindex="0"><code>curl -X POST '${baseUrl}/_mfano/clock/advance' \\
  -H 'Content-Type: application/json' \\
  -d '{"by":"10s"}'</code></pre></div>
`
}

function noticePart({ payment: { status } }: CheckoutView, notice: Notice): Html {
  const words = {
    'not-offered': 'That is not a way to pay this session. Nothing was taken.',
    foreign: 'That came from a page of another site, so nothing was done. Use the buttons here.',
    'under-way': lateWords(status),
  }
  return html`<div class="state wait" role="alert" data-testid="notice"><h2>${words[notice]}</h2></div>
`
}

function lateWords(status: string): string {
  if (status === 'SUCCEEDED') return 'This is already paid. You are charged once.'
  if (status === 'FAILED' || status === 'EXPIRED') return 'This session is over and can no longer be paid.'
  return 'A payment is already under way. You are charged once, and it can no longer be cancelled here.'
}
