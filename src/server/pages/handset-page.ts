import type { Hono } from 'hono'
import { html } from 'hono/html'
import { kindOf } from '../../core/core.ts'
import { promptsOn } from '../../core/handset.ts'
import { localTime } from '../../core/model/calendar.ts'
import { askedAtUs, type PromptAnswer, promptAnswers } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type DurationUs, formatInstant, parseInstant, SECOND_US } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { readBody } from '../../http/read-body.ts'
import { paymentsService } from '../../service/service.ts'
import type { ControlContext, ControlEnv } from '../control/control-context.ts'
import { foreignSite, mayEnter } from '../control/guard.ts'
import { type PhoneView, phoneView } from '../control/handset.ts'
import { builtScript, figure, type Html, inlined, sendPage, simulated, timer } from './page.ts'
import { handsetStyle } from './style.ts'

type HandsetView = ReturnType<typeof handsetView>

function handsetView({ core }: World, phone: string, notice: string | undefined) {
  const { clock, scenario, service } = core
  const { zone } = service.countries.ofPhone(phone)
  const { hour, minute } = localTime(clock.now(), zone.offsetUs)
  return {
    ...phoneView(phone, core),
    ...{ notice, zone },
    /** Shown, because the person who plays the holder must type it. */
    pin: scenario.directory.subscriber(phone).pin,
    time: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
    nowUs: clock.now(),
    rate: clock.mode === 'frozen' ? 0 : clock.rate,
  }
}

const NOBODY = 'Not registered'

type Prompt = PhoneView['prompts'][number]

function handsetPage(view: HandsetView): Html {
  const { name, phone, network, messages, prompts, notice } = view
  return html`${simulated}
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
  const end = otherwise === 'FAILED' ? 'it fails' : 'it is approved by itself'
  return html`<p class="quiet-line">Unanswered, ${end} in <span class="countdown">${timer(dueUs - nowUs, rate)}</span>${rate === 0 && ' (simulated time stands still)'}.</p>`
}

function messagePart({ zone }: HandsetView, { at, from, text }: PhoneView['messages'][number]): Html {
  const local = formatInstant((parseInstant(at) ?? 0) + zone.offsetUs)
  return html`<li data-testid="message"><p class="from">${from}<time datetime="${at}">${local.slice(11, 16)}</time></p><p>${text}</p></li>`
}

export function handsetRoutes(app: Hono<ControlEnv>): void {
  const style = inlined(handsetStyle)

  app.get('/_mfano/handset/:phone/', async (c) =>
    (await mayEnter(c)) ? renderPage(c) : c.redirect('../../login', 303),
  )

  app.post('/_mfano/handset/:phone/', async (c) => {
    if (!(await mayEnter(c))) return c.redirect('../../login', 303)
    if (foreignSite(c.req.raw, c.env.publicUrl))
      return renderPage(c, 'That came from a page of another site, so nothing was done.', 403)
    const form = new URLSearchParams(await readBody(c.req.raw))
    const answer = promptAnswers.find((one) => one === form.get('answer'))
    const pin = (form.get('pin') ?? '').trim()
    if (!answer) return renderPage(c, 'Choose one of the buttons.', 400)
    if (answer === 'approve' && !/^\d{4}$/.test(pin)) return renderPage(c, 'Enter the four digits of the PIN.', 422)
    return reply(c, { uuid: form.get('prompt') ?? '', answer, ...(answer === 'approve' && { pin }) })
  })

  async function reply(c: ControlContext, given: { uuid: string; answer: PromptAnswer; pin?: string }) {
    try {
      await c.env.world.perform({ command: 'answer-prompt', phone: must(c.req.param('phone')), ...given })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'NO_SUCH_PROMPT')) throw error
      return renderPage(c, 'That prompt is gone: it was answered, or its time is over.', 409)
    }
    // Relative, because the browser may use any name of this host.
    return c.body(null, 303, { location: './' })
  }

  async function renderPage(c: ControlContext, notice?: string, status: 200 | 400 | 403 | 409 | 422 = 200) {
    const script = await builtScript(c.env.assets, 'handset-script')
    const phone = paymentsService.countries.typedPhone(must(c.req.param('phone')))
    if (phone === undefined) return c.text('This is no phone number; 254712345678 would be one\n', 404)
    const { core } = c.env.world
    if (c.req.raw.method !== 'HEAD')
      await Promise.all(promptsOn(core, phone).map((payment) => holdFor(c.env.world, payment, LOOKED_AT)))
    const view = handsetView(c.env.world, phone, notice)
    return sendPage(c, {
      title: `${view.name || phone} · mfano`,
      style,
      script,
      status,
      formAction: "'self'",
      typed: view.prompts.length > 0 && 'PIN',
      // Not while somebody types a PIN.
      refresh: view.prompts.length === 0 ? '5' : undefined,
      refreshWithoutScript: true,
      body: handsetPage(view),
    })
  }
}

// Gives a person who looks at a prompt time to answer. A frozen world needs no delay. Otherwise the delay is a
// command, because a replay must repeat it.

/** In real time, because people do not get faster with the world. */
interface Patience {
  forUs: DurationUs
  /** After the prompt appeared, however long somebody looks. */
  mostUs: DurationUs
}

/** The handset page is open, and says so three times a minute. */
const LOOKED_AT: Patience = { forUs: 60 * SECOND_US, mostUs: 600 * SECOND_US }
/** Somebody moves on the checkout page, and needs time to open the phone. */
export const HAND_SEEN: Patience = { forUs: 20 * SECOND_US, mostUs: 20 * SECOND_US }

export async function holdFor(world: World, payment: Payment, { forUs, mostUs }: Patience): Promise<void> {
  const { clock } = world.core
  if (clock.rate === 0 || clock.paused) return
  const cameUs = askedAtUs(kindOf(world.core, payment), payment)
  const untilUs = Math.floor(Math.min(clock.now() + forUs * clock.rate, cameUs + mostUs * clock.rate))
  await world.perform({ command: 'hold-prompt', uuid: payment.uuid, untilUs })
}
