import type { Hono } from 'hono'
import { readBody } from '../api/body.ts'
import type { Payment } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { checkoutSeq } from '../records/checkout.ts'
import { type CheckoutView, checkoutPage, missingPage, type Notice } from './checkout-page.ts'
import { type PagesContext, type PagesEnv, sendPage, styleOf } from './kit.ts'
import { checkoutStyle } from './style.ts'

/** The hosted page: what a payer sees, and what a payer can do. */
export function checkoutRoutes(app: Hono<PagesEnv>): void {
  const style = styleOf(checkoutStyle)

  app.get('/session/:token', (c) => show(c))

  app.post('/session/:token', async (c) => {
    const payment = sessionOf(c)
    if (!payment) return show(c)
    if (isForeign(c)) return show(c, 'foreign', 403)
    const form = new URLSearchParams(await readBody(c.req.raw))
    const action = form.get('action')
    if (action === 'cancel') return cancel(c, payment)
    const method = form.get('method')
    if (action !== 'pay' || method === null || !methodsOf(payment).includes(method)) return show(c, 'not-offered', 400)
    return pay(c, payment, method, form.get('phoneNumber')?.trim() || undefined)
  })

  async function pay(c: PagesContext, { uuid }: Payment, method: string, phone?: string): Promise<Response> {
    try {
      await c.env.world.perform({ command: 'pay-session', uuid, method, by: 'payer', ...(phone && { phone }) })
    } catch (error) {
      return tooLate(c, error)
    }
    // Relative: whatever name the payer reaches us by, it is the right one. A reload then asks again, and pays no second time.
    return c.body(null, 303, { location: c.req.param('token') as string })
  }

  async function cancel(c: PagesContext, payment: Payment): Promise<Response> {
    const { world } = c.env
    try {
      if (world.core.scenario.assumptions['checkout-cancel'] === 'fails') {
        await world.perform({ command: 'signal-payment', uuid: payment.uuid, event: 'CANCEL', by: 'payer' })
      } else if (payment.status !== 'PENDING') {
        return show(c, 'under-way', 409)
      }
    } catch (error) {
      return tooLate(c, error)
    }
    return c.body(null, 303, { location: returnAddress(c, payment, 'cancelUrl') })
  }

  /** The session moved on before this came: a second click, a second tab, or time. */
  function tooLate(c: PagesContext, error: unknown): Response | Promise<Response> {
    if (error instanceof Refusal && error.code === 'ILLEGAL_TRANSITION') return show(c, 'under-way', 409)
    throw error
  }

  function show(c: PagesContext, notice?: Notice, status: 200 | 400 | 403 | 409 = 200): Response | Promise<Response> {
    const payment = sessionOf(c)
    if (!payment) return sendPage(c, { title: 'No such checkout session', style, body: missingPage(), status: 404 })
    const view = viewOf(c, payment, notice)
    return sendPage(c, {
      title: `Pay ${view.merchant}`,
      style,
      body: checkoutPage(view),
      status,
      // Cancelling leads to the merchant, whose own site may lead on to wherever it likes.
      formAction: `'self' ${new URL(view.cancelUrl).protocol === 'https:' ? 'https:' : 'http: https:'}`,
      refresh: refreshOf(view),
    })
  }
}

function sessionOf(c: PagesContext): Payment | undefined {
  const { core } = c.env.world
  const seq = checkoutSeq(core, c.req.param('token') as string)
  const payment = seq === undefined ? undefined : core.store.payments.bySeq(seq)
  return payment?.kind === 'checkout' ? payment : undefined
}

/** Another site must not pay or cancel in the payer's name. Our pages send no referrer, so their own Origin is `null`. */
function isForeign(c: PagesContext): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host !== new URL(c.req.url).host && host !== new URL(c.env.baseUrl).host
}

function methodsOf(payment: Payment): string[] {
  return payment.request['paymentMethods'] as string[]
}

/** Where the payer's browser goes when it leaves, with what `redirect-parameters` adds. */
function returnAddress(c: PagesContext, payment: Payment, field: 'successUrl' | 'cancelUrl'): string {
  const address = payment.request[field] as string
  if (c.env.world.core.scenario.assumptions['redirect-parameters'] === 'none') return new URL(address).href
  const [, page = '', hash = ''] = /^([^#]*)(.*)$/s.exec(address) ?? []
  return new URL(`${page}${page.includes('?') ? '&' : '?'}checkoutSessionId=${payment.uuid}${hash}`).href
}

function viewOf(c: PagesContext, payment: Payment, notice: Notice | undefined): CheckoutView {
  const { world, baseUrl } = c.env
  return {
    payment,
    merchant: world.core.store.organisations.byId(payment.organisationId).name,
    methods: methodsOf(payment),
    successUrl: returnAddress(c, payment, 'successUrl'),
    cancelUrl: returnAddress(c, payment, 'cancelUrl'),
    notice,
    frozen: world.core.clock.mode === 'frozen',
    nowUs: world.core.clock.now(),
    baseUrl,
  }
}

/**
 * A paid session goes home after a moment, by when its callback has been sent; one under way looks again. In a frozen
 * world less often, which leaves time to copy what the page says about it.
 */
function refreshOf({ payment: { status }, successUrl, frozen }: CheckoutView): string | undefined {
  if (status === 'SUCCEEDED') return `1;url=${successUrl}`
  return status === 'PROCESSING' || status === 'REQUIRES_CUSTOMER_ACTION' ? (frozen ? '4' : '2') : undefined
}
