import { MfanoError, noAnswer } from './errors.ts'

/** The payer at the hosted page, without a browser. */
export class WorldCheckout {
  /**
   * Pays a session, as the payer does with a button of the page. What comes of it, the scenario decides.
   * @param checkoutUrl from the answer to `createCheckoutSession`
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * const { data: session } = await client.createCheckoutSession({
   *   amount: 900,
   *   currency: 'KES',
   *   description: 'Two chairs',
   *   successUrl: 'https://shop.example/thanks',
   *   cancelUrl: 'https://shop.example/cart',
   *   paymentMethods: ['CARD'],
   * })
   * await world.checkout.pay(session.checkoutUrl, 'CARD')
   * await world.clock.advance('1m')
   * const { data } = await client.getCheckoutSession({ checkoutSessionId: session.id })
   * assert.equal(data.status, 'SUCCEEDED')
   * ```
   */
  async pay(checkoutUrl: string, method: 'CARD' | 'MPESA_STK'): Promise<void> {
    await press(checkoutUrl, { action: 'pay', method })
  }

  /** Gives up and goes back to the shop; resolves with the address that the browser is sent to. */
  async cancel(checkoutUrl: string): Promise<string> {
    return press(checkoutUrl, { action: 'cancel' })
  }
}

/** Sends the page's form; gives the address that it leads to. */
async function press(checkoutUrl: string, form: Record<string, string>): Promise<string> {
  const request = `POST ${checkoutUrl}`
  let response: Response
  try {
    response = await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  } catch (error) {
    throw noAnswer(request, error, 'Is it the checkoutUrl that createCheckoutSession answered, and mfano running?')
  }
  if (response.status === 303) return new URL(response.headers.get('location') ?? '', checkoutUrl).href
  const why = {
    400: 'The session does not offer this way to pay: see paymentMethods of the request.',
    404: 'There is no such session in this world: see checkoutUrl of the answer to createCheckoutSession.',
    409: 'The session is under way or has ended; only a PENDING one takes this. Make a new one.',
  }[response.status]
  throw new MfanoError({
    code: 'CHECKOUT_REFUSED',
    status: response.status,
    message: `${request} (${new URLSearchParams(form)}) answered ${response.status}.`,
    ...(why && { hint: why }),
  })
}
