import type { Hono } from 'hono'
import { html } from 'hono/html'
import { kindOf } from '../../core/core.ts'
import { plainTime } from '../../core/model/calendar.ts'
import type { CardOutcome } from '../../core/model/directory.ts'
import { LANE } from '../../core/model/due.ts'
import { isPrompt } from '../../core/model/kind.ts'
import { toMajor } from '../../core/model/money.ts'
import { isRecord, must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Command } from '../../core/perform.ts'
import type { World } from '../../core/world.ts'
import { readBody } from '../../http/read-body.ts'
import { challengeAnswers, type Entered, type PayerProblems, readPayer, sessionDetails } from '../control/checkout.ts'
import type { ControlContext, ControlEnv } from '../control/control-context.ts'
import { eventStream, sentEvent } from '../control/events.ts'
import { foreignSite } from '../control/guard.ts'
import { HAND_SEEN, holdFor } from './handset-page.ts'
import { builtScript, figure, type Html, inlined, sendPage, simulated, timer } from './page.ts'
import { checkoutStyle } from './style.ts'

type Status = 200 | 400 | 403 | 409 | 422

export function checkoutRoutes(app: Hono<ControlEnv>): void {
  const style = inlined(checkoutStyle)

  app.get('/session/:token', (c) => renderPage(c))

  /** Open to everybody who has the session's address, as the page is. */
  app.get('/session/:token/events', (c) => {
    const session = sessionOf(c)
    if (!session) return c.text('There is no such session in this world\n', 404)
    const { world } = c.env
    const statusEvent = (status: string) => sentEvent('status', { status })
    const now = () => statusEvent(world.core.store.payments.bySeq(session.seq)?.status ?? session.status)
    return eventStream(world, {
      kind: 'payer',
      head: c.req.raw.method === 'HEAD',
      next: world.feed.newest + 1,
      greeting: statusEvent(session.status),
      text: (domainEvent) =>
        domainEvent.type === 'payment' && domainEvent.seq === session.seq ? statusEvent(domainEvent.to) : '',
      missed: now,
    })
  })

  app.post('/session/:token', async (c) => {
    const payment = sessionOf(c)
    if (!payment) return renderPage(c)
    if (foreignSite(c.req.raw, c.env.publicUrl)) return renderPage(c, { notice: 'foreign' }, 403)
    const { uuid } = payment
    const form = new URLSearchParams(await readBody(c.req.raw))
    switch (form.get('action')) {
      case 'cancel':
        return acted(
          c,
          { command: 'leave-session', uuid },
          returnAddress(sessionDetails(c.env.world.core, payment).cancelUrl),
        )
      case 'challenge':
        return answerChallenge(c, payment, form.get('answer'))
      case 'wait':
        return wait(c, payment)
      case 'pay':
        return pay(c, payment, form)
      default:
        return renderPage(c, { notice: 'not-offered' }, 400)
    }
  })

  async function pay(c: ControlContext, payment: Payment, form: URLSearchParams): Promise<Response> {
    const { world } = c.env
    const entered = enteredIn(form)
    if (!sessionDetails(world.core, payment).methods.includes(entered.method))
      return renderPage(c, { notice: 'not-offered' }, 400)
    // A session that has ended or is under way says so, whatever was entered.
    if (payment.status !== 'PENDING') return renderPage(c, { notice: 'under-way' }, 409)
    const read = readPayer(world.core, payment, entered)
    if (read.problems) return renderPage(c, { notice: 'check-fields', entered: { form, problems: read.problems } }, 422)
    return acted(c, { command: 'pay-session', uuid: payment.uuid, by: 'payer', ...read.paid })
  }

  async function answerChallenge(c: ControlContext, payment: Payment, answer: string | null): Promise<Response> {
    const asked = payment.details['challenge'] !== undefined && payment.status === 'REQUIRES_CUSTOMER_ACTION'
    if (!asked) return renderPage(c, { notice: 'under-way' }, 409)
    if (answer !== 'approve' && answer !== 'refuse') return renderPage(c, { notice: 'not-offered' }, 400)
    return acted(c, { command: 'signal-payment', uuid: payment.uuid, by: 'payer', ...challengeAnswers[answer] })
  }

  async function wait(c: ControlContext, payment: Payment): Promise<Response> {
    const { world } = c.env
    if (isPrompt(kindOf(world.core, payment), payment)) await holdFor(world, payment, HAND_SEEN)
    return renderPage(c)
  }

  /**
   * Leads back to the page unless told elsewhere: relative, because the payer may use any name of this host, and by a
   * redirect, so that a reload does not pay again.
   */
  async function acted(c: ControlContext, command: Command, location = must(c.req.param('token'))): Promise<Response> {
    try {
      await c.env.world.perform(command)
    } catch (error) {
      // A second click, a second tab, or time was faster.
      if (error instanceof Refusal && error.code === 'ILLEGAL_TRANSITION')
        return renderPage(c, { notice: 'under-way' }, 409)
      throw error
    }
    return c.body(null, 303, { location })
  }

  async function renderPage(c: ControlContext, shown: CheckoutState = {}, status: Status = 200): Promise<Response> {
    const script = await builtScript(c.env.assets, 'checkout-script')
    const payment = sessionOf(c)
    if (!payment) return sendPage(c, { title: 'No such checkout session', style, body: missingPage(), status: 404 })
    const view = checkoutView(c.env.world, c.env.baseUrl, payment, shown)
    return sendPage(c, {
      title: `Pay ${view.merchant}`,
      style,
      script,
      body: checkoutPage(view),
      typed: payment.status === 'PENDING' && (view.session.methods.includes('CARD') ? 'card number' : 'phone number'),
      status,
      // Cancelling leads to the merchant's site, which may redirect anywhere.
      formAction: `'self' ${/^https:/i.test(view.cancelUrl) ? 'https:' : 'http: https:'}`,
      refresh: refreshOf(view),
      refreshWithoutScript: payment.status !== 'SUCCEEDED',
    })
  }
}

function sessionOf(c: ControlContext): Payment | undefined {
  const { core } = c.env.world
  const token = must(c.req.param('token'))
  for (const { name, page } of core.service.kinds) {
    const seq = page?.seqOf(core, token)
    const payment = seq === undefined ? undefined : core.store.payments.bySeq(seq)
    if (payment?.kind === name) return payment
  }
  return undefined
}

function enteredIn(form: URLSearchParams): Entered {
  const text = (name: string) => form.get(name) ?? ''
  const card = { number: text('number'), expiry: text('expiry'), cvc: text('cvc') }
  return { method: text('method'), card, phone: form.get('phoneNumber') ?? undefined }
}

/**
 * After a payment, waits until the callback is sent. While under way, reloads for browsers without a script; less often
 * in a frozen world, to leave time to copy its advice.
 */
function refreshOf({ payment: { status }, successUrl, frozen }: CheckoutView): string | undefined {
  if (status === 'SUCCEEDED') return `1;url=${successUrl}`
  return status === 'PROCESSING' || status === 'REQUIRES_CUSTOMER_ACTION' ? (frozen ? '4' : '2') : undefined
}

function checkoutPage(view: CheckoutView): Html {
  const { payment, merchant, publicRef } = view
  const { description, reference } = view.session
  return html`${simulated}
<main>
<div class="card">
<h1 class="merchant" data-testid="merchant">${merchant}</h1>
<p class="description" data-testid="description">${description}</p>
<p class="amount" data-testid="amount"><span class="currency">${payment.currency}</span> <span class="figure">${figure(toMajor(payment.amountMinor))}</span></p>
<dl class="facts">
${reference !== undefined && html`<div><dt>Reference</dt><dd data-testid="reference">${reference}</dd></div>`}
<div><dt>Checkout</dt><dd data-testid="checkout-ref">${publicRef}</dd></div>
${payment.status === 'PENDING' && view.expires && html`<div><dt>Time left</dt><dd>${timeLeft(view)}</dd></div>`}
${paidWith(payment)}
</dl>
${view.notice !== undefined && noticePart(view, view.notice)}
${statePart(view)}
</div>
</main>`
}

function missingPage(): Html {
  return html`${simulated}
<main><div class="card">
<h1 class="merchant">No such checkout session</h1>
<div class="state bad" data-testid="status" data-status="NOT_FOUND"><h2>This address belongs to no session of this world.</h2><p>Go back to the shop and start again. A world that was reset has forgotten its sessions.</p></div>
</div></main>`
}

function paidWith({ status, details }: Payment): Html | false {
  const { card } = details
  const text = isRecord(card) ? `${card['brand']} ending in ${card['last4']}` : phoneText(details['phoneNumber'])
  const label = { SUCCEEDED: 'Paid with', FAILED: 'Tried with', EXPIRED: 'Tried with' }[status] ?? 'Paying with'
  return text !== undefined && html`<div><dt>${label}</dt><dd data-testid="paid-with">${text}</dd></div>`
}

function phoneText(phone: unknown): string | undefined {
  return typeof phone === 'string' ? `+${phone.replace(/\D/g, '')}` : undefined
}

function statePart(view: CheckoutView): Html {
  const { status, details } = view.payment
  if (status === 'PENDING') return choices(view)
  if (status === 'REQUIRES_CUSTOMER_ACTION')
    return details['challenge'] === undefined ? prompted(view) : challenged(view)
  if (status === 'PROCESSING')
    return html`${state(status, '', 'Payment under way', 'It is being processed. This page updates by itself.')}
${view.frozen && frozenPart(view)}`
  if (status === 'SUCCEEDED') {
    return html`${state(status, '', 'Paid', `You are on your way back to ${view.merchant}.`)}
<a class="button" data-testid="return" href="${view.successUrl}">Back to ${view.merchant}</a>`
  }
  const { title, text } = status === 'EXPIRED' ? expired : failed(view)
  return html`${state(status, 'bad', title, `${text} Nothing was taken. To try again, start a new payment at the shop.`)}
<a class="button" data-testid="return" href="${view.cancelUrl}">Back to ${view.merchant}</a>`
}

const expired = { title: 'This session has expired', text: 'It ran out before it was paid.' }

function failed({ payment: { history }, failure }: CheckoutView): { title: string; text: string } {
  if (history.at(-1)?.event === 'CANCEL') return { title: 'This payment was cancelled', text: 'You cancelled it.' }
  return { title: 'The payment did not go through', text: failure === undefined ? '' : `${failure}.` }
}

function state(status: string, tone: string, title: string, text: string): Html {
  return html`<div class="state ${tone}" role="status" data-testid="status" data-status="${status}"><h2>${title}</h2><p>${text.trim()}</p></div>`
}

/** No action: the form goes to the page's own address, whatever name the payer used. */
function choices(view: CheckoutView): Html {
  return html`<div class="methods" data-testid="status" data-status="PENDING">
${paymentForms(view, `${view.payment.currency} ${figure(toMajor(view.payment.amountMinor))}`)}
<form method="post"><button class="quiet" name="action" value="cancel" data-testid="cancel">Cancel and return to ${view.merchant}</button></form>
</div>`
}

function prompted(view: CheckoutView): Html {
  const phone = phoneText(view.payment.details['phoneNumber'] ?? view.session.phone)
  const itself = view.payment.plan.promptUs === undefined && ' Left alone, the simulated payer answers it.'
  return html`<div class="state" role="status" data-testid="status" data-status="REQUIRES_CUSTOMER_ACTION"${view.rate > 0 ? html` data-waits` : ''}><h2>Check your phone</h2><p>A prompt is on ${phone ?? 'your phone'}: enter the PIN there.${itself} This page updates by itself.</p>
${countdown(view)}</div>
${phone && html`<a class="button second" data-testid="handset" href="../_mfano/handset/${phone.slice(1)}/" target="_blank" rel="noopener">Open the simulated phone</a>`}
${view.frozen && frozenPart(view)}`
}

function challenged(view: CheckoutView): Html {
  return html`<div class="state" role="status" data-testid="status" data-status="REQUIRES_CUSTOMER_ACTION"><h2>Your bank asks: is it you?</h2><p>3-D Secure, simulated. Nothing is taken before you say yes; unanswered, the session runs out.</p>
${countdown(view)}</div>
<form method="post"><input type="hidden" name="action" value="challenge"><button name="answer" value="approve" data-testid="challenge-approve">Yes, pay</button></form>
<form method="post"><input type="hidden" name="action" value="challenge"><button class="second" name="answer" value="refuse" data-testid="challenge-refuse">No, refuse</button></form>
<p class="leave"><a href="${view.cancelUrl}" data-testid="challenge-abandon">Leave without an answer</a></p>`
}

function countdown(view: CheckoutView): Html | false {
  const left = timeLeft(view)
  return left && html`<p class="countdown">${left} left</p>`
}

function timeLeft({ dueAtUs, nowUs, frozen, rate }: CheckoutView): Html | false {
  return dueAtUs !== undefined && timer(dueAtUs - nowUs, frozen ? 0 : rate)
}

/** In a frozen world nothing settles by itself, so the page says how to go on instead of waiting for ever. */
function frozenPart({ nowUs, zone, baseUrl }: CheckoutView): Html {
  return html`<div class="state wait" data-testid="frozen"><h2>Simulated time stands still</h2><p>It is ${plainTime(nowUs, zone)} and stays so until the clock is advanced. This goes on when somebody does:</p>
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
    'check-fields': 'Nothing was taken yet: check what is marked below.',
  }
  return html`<div class="state wait" role="alert" data-testid="notice"><h2>${words[notice]}</h2></div>
`
}

function lateWords(status: string): string {
  if (status === 'SUCCEEDED') return 'This is already paid. You are charged once.'
  if (status === 'FAILED' || status === 'EXPIRED') return 'This session is over and can no longer be paid.'
  return 'A payment is already under way. You are charged once, and it can no longer be cancelled here.'
}

const TYPED_MAX = 120
const ways: Record<string, { name: string; form(view: CheckoutView, amount: string): Html }> = {
  CARD: { name: 'Card', form: cardForm },
  MPESA_STK: { name: 'M-PESA', form: phoneForm },
}

function paymentForms(view: CheckoutView, amount: string): Html {
  const { entered } = view
  const { methods } = view.session
  const open = entered?.form.get('method') ?? methods[0]
  const choices = methods.map((method) => {
    const name = ways[method]?.name ?? method
    const form = ways[method]?.form(view, amount)
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
  const { problems, typed } = enteredBy(view, 'CARD')
  const { number, expiry, cvc } = problems
  return html`<form method="post" novalidate><input type="hidden" name="action" value="pay">
${field({ id: 'card-number', name: 'number', label: 'Card number', problem: number, value: typed('number'), more: html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="24"` })}
<div class="pair">
${field({ id: 'card-expiry', name: 'expiry', label: 'Expiry', problem: expiry, value: typed('expiry'), more: html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" maxlength="9"` })}
${field({ id: 'card-cvc', name: 'cvc', label: 'Security code', problem: cvc, more: html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"` })}
</div>
${field({ id: 'card-name', name: 'name', label: 'Name on the card (optional)', value: typed('name'), more: html`autocomplete="cc-name" maxlength="120"`, optional: true })}
<button name="method" value="CARD" data-testid="pay-CARD">Pay <span class="whole">${amount}</span> by card</button></form>
${help(view.cards)}`
}

function phoneForm(view: CheckoutView, amount: string): Html {
  const { problems, typed } = enteredBy(view, 'MPESA_STK')
  const value = typed('phoneNumber') ?? view.session.phone
  return html`<form method="post" novalidate><input type="hidden" name="action" value="pay">
${field({ id: 'phone-number', name: 'phoneNumber', label: 'Phone number', problem: problems.phoneNumber, value, more: html`type="tel" inputmode="tel" autocomplete="tel" placeholder="0712 345 678" maxlength="20"` })}
<button name="method" value="MPESA_STK" data-testid="pay-MPESA_STK">Pay <span class="whole">${amount}</span> with <span class="whole">M-PESA</span></button></form>`
}

function enteredBy({ entered }: CheckoutView, method: string) {
  const { form, problems } = entered?.form.get('method') === method ? entered : { form: undefined, problems: {} }
  return { problems: problems as PayerProblems, typed: (name: string) => form?.get(name)?.slice(0, TYPED_MAX) }
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
  const isWrong = problem !== undefined
  const described = isWrong && html`aria-invalid="true" aria-describedby="${id}-problem"`
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" data-testid="${id}" ${optional ? '' : 'required'} ${more} ${described} value="${value ?? ''}">
${isWrong && html`<p class="problem" id="${id}-problem" data-testid="${id}-problem">${problem}</p>`}</div>`
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

type Notice = 'under-way' | 'not-offered' | 'foreign' | 'check-fields'

interface CheckoutState {
  notice?: Notice
  /** The payer's entry, with what is wrong in it. The card's code is never sent back. */
  entered?: { form: URLSearchParams; problems: PayerProblems }
}

type CheckoutView = ReturnType<typeof checkoutView>

function checkoutView({ core }: World, baseUrl: string, payment: Payment, { notice, entered }: CheckoutState) {
  const { store, scenario, clock } = core
  const { failure, page } = kindOf(core, payment)
  const session = sessionDetails(core, payment)
  const due = store.agenda.of(LANE.steps, payment.seq)[0]
  return {
    payment,
    session,
    notice,
    entered,
    baseUrl,
    merchant: store.organisations.byId(payment.organisationId).name,
    failure: failure?.words?.[String(payment.details['failure'])],
    publicRef: must(page).publicRef(core, payment),
    successUrl: returnAddress(session.successUrl),
    cancelUrl: returnAddress(session.cancelUrl),
    cards: scenario.directory.cards,
    dueAtUs: due?.dueAtUs,
    expires: due !== undefined && due.event === 'expire',
    frozen: clock.mode === 'frozen',
    rate: clock.rate,
    nowUs: clock.now(),
    zone: scenario.zone,
  }
}

function returnAddress(address: string): string {
  return URL.parse(address)?.href ?? encodeURI(address)
}
