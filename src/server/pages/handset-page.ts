/** Renders a simulated phone. */
import { html } from 'hono/html'
import type { Zone } from '../../core/model/calendar.ts'
import { formatInstant, type InstantUs, parseInstant } from '../../core/model/time.ts'
import type { PhoneView } from '../../inspect/phone-view.ts'
import type { Html } from './page.ts'

export interface HandsetView extends PhoneView {
  notice: string | undefined
  /** Shown, because the person who plays the holder must type it. */
  pin: string
  time: string
  nowUs: InstantUs
  /** The zone of the phone's country, in which the texts of its messages tell times. */
  zone: Zone
  rate: number
}

const NOBODY = 'Not registered'

type Prompt = PhoneView['prompts'][number]

export function handsetPage(view: HandsetView): Html {
  const { name, phone, network, messages, prompts, notice } = view
  return html`<p class="simulated" data-testid="simulated">Simulated by mfano: no money moves</p>
<main>
<div class="phone">
<div class="bar"><span data-testid="time">${view.time}</span><span data-testid="network">${network}</span></div>
<div class="screen">
<h1 data-testid="holder">${name || NOBODY}</h1>
<p class="number" data-testid="number">+${phone}</p>
<p class="balance" id="balance" data-testid="balance">${name !== '' && balanceText(view)}</p>
${notice !== undefined && html`<p class="notice" role="alert" data-testid="notice">${notice}</p>`}
<div id="prompts" aria-live="polite">${prompts.map((prompt) => promptPart(view, prompt))}
${prompts.length === 0 && html`<p class="quiet-line" data-testid="no-prompts">No prompt on this phone.</p>`}</div>
<section aria-labelledby="inbox"><h2 id="inbox">Messages</h2>
<ol id="messages" class="messages" data-testid="messages">${messages.map((message) => messagePart(view, message))}</ol>
${messages.length === 0 && html`<p class="quiet-line">Receipts come here.</p>`}</section>
</div>
</div>
<p class="aside">The phone's clock is that of ${view.zone.name}. <a href="../../#/handset">All phones</a></p>
</main>`
}

function balanceText({ balance, currency }: HandsetView): string {
  return balance === null ? 'Balance not limited' : `${currency} ${figure(balance)}`
}

function promptPart(view: HandsetView, prompt: Prompt): Html {
  const { id, merchant, amount, currency, reference, description } = prompt
  return html`<article class="prompt" data-testid="prompt" data-prompt="${id}" aria-labelledby="ask-${id}">
<h2 id="ask-${id}">Pay <span data-testid="prompt-amount">${currency} ${figure(amount)}</span> to <span data-testid="prompt-merchant">${merchant}</span>?</h2>
<p class="what">${reference !== null && html`<span data-testid="prompt-reference">${reference}</span>`}${reference !== null && description !== null && ' · '}${description}</p>
<form method="post" autocomplete="off"><input type="hidden" name="prompt" value="${id}">
<label for="pin-${id}">PIN</label>
<input class="pin" id="pin-${id}" name="pin" data-testid="pin" type="password" inputmode="numeric" maxlength="4" autocomplete="off">
<div class="pad" hidden role="group" aria-label="PIN pad">${[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => html`<button type="button" data-digit="${digit}">${digit}</button>`)}<button type="button" data-digit="" aria-label="Erase">⌫</button></div>
<div class="answers"><button name="answer" value="approve" data-testid="approve">Pay</button><button class="second" name="answer" value="cancel" data-testid="cancel">Cancel</button></div>
${prompt.ignored ? html`<p class="quiet-line" data-testid="ignored">You put the phone away.</p>` : html`<button class="quiet" name="answer" value="ignore" data-testid="ignore">Put the phone away</button>`}</form>
${goesAway(view, prompt)}
<details><summary>Which PIN?</summary><p>This phone's is <code data-testid="right-pin">${view.pin}</code>; any other is wrong.</p></details>
</article>`
}

function goesAway({ nowUs, rate }: HandsetView, { expiresAt, otherwise, held }: Prompt): Html {
  const dueUs = expiresAt === null ? undefined : parseInstant(expiresAt)
  if (dueUs === undefined) return html`<p class="quiet-line">It waits until you answer.</p>`
  if (held && rate > 0)
    return html`<p class="quiet-line" data-testid="held">It waits for you while this page is open, for ten minutes at most.</p>`
  const leftS = Math.max(0, Math.ceil((dueUs - nowUs) / 1_000_000))
  const text = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  const end = otherwise === 'FAILED' ? 'it fails' : 'it is approved by itself'
  return html`<p class="quiet-line">Unanswered, ${end} in <span class="countdown" role="timer" data-testid="countdown" data-left="${leftS}" data-rate="${rate}">${text}</span>${rate === 0 && ' (simulated time stands still)'}.</p>`
}

function messagePart({ zone }: HandsetView, { at, from, text }: PhoneView['messages'][number]): Html {
  const local = formatInstant((parseInstant(at) ?? 0) + zone.offsetUs)
  return html`<li data-testid="message"><p class="from">${from}<time datetime="${at}">${local.slice(11, 16)}</time></p><p>${text}</p></li>`
}

function figure(amount: number): string {
  return amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
