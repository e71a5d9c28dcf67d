import type { Hono } from 'hono'
import { kindOf } from '../../core/core.ts'
import { isPrompt, type PageDetails } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Command } from '../../core/perform.ts'
import { readBody } from '../../http/read-body.ts'
import { challengeAnswers, type Entered, readPayer } from '../control/checkout.ts'
import type { ControlContext, ControlEnv } from '../control/control-context.ts'
import { eventStream } from '../control/events.ts'
import { foreignSite } from '../control/guard.ts'
import { sentEvent } from '../control/pulled-stream.ts'
import {
  type CheckoutState,
  type CheckoutView,
  checkoutPage,
  checkoutView,
  missingPage,
  returnAddress,
} from './checkout-page.ts'
import { HAND_SEEN, holdFor } from './handset-page.ts'
import { builtScript, inlined, sendPage } from './page.ts'
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
        return acted(c, { command: 'leave-session', uuid }, returnAddress(detailsOf(c, payment).cancelUrl))
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
    if (!detailsOf(c, payment).methods.includes(entered.method)) return renderPage(c, { notice: 'not-offered' }, 400)
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

function detailsOf(c: ControlContext, payment: Payment): PageDetails {
  return must(kindOf(c.env.world.core, payment).page).details(payment.request)
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
