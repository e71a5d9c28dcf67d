/** Pays checkout sessions in tests. */
import { MfanoError, noAnswer } from '../../client/errors.ts'

interface PayUsing {
  /** The scenario's directory decides what a test card does: `4000000000000002` is declined. */
  number?: string
  expiry?: string
  cvc?: string
  phoneNumber?: string
}

/** Unlisted cards are approved. This one does not expire in this century. */
const APPROVED = { number: '4242424242424242', expiry: '12/99', cvc: '123' }

/** A phone of the default scenario, with enough money for most payments. */
const SOMEBODY = '254711000100'

/** Pays on the hosted page, without a browser. */
export class WorldCheckout {
  /**
   * Pays a session, as a customer does on the page. The scenario decides the result.
   * @param checkoutUrl from the answer to `createCheckoutSession`
   * @param using another card than one that is approved, or another phone than the session's own
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
  async pay(checkoutUrl: string, method: 'CARD' | 'MPESA_STK', using: PayUsing = {}): Promise<void> {
    const { phoneNumber, ...card } = using
    const form = { action: 'pay', method }
    if (method === 'CARD') await press(checkoutUrl, { ...form, ...APPROVED, ...card })
    else if (phoneNumber !== undefined) await press(checkoutUrl, { ...form, phoneNumber })
    else {
      await press(checkoutUrl, form).catch((error) => {
        if (!(error instanceof MfanoError && error.status === 422)) throw error
        // The session names no phone, so the payer types one.
        return press(checkoutUrl, { ...form, phoneNumber: SOMEBODY })
      })
    }
  }

  /** Cancels and returns the address that the browser is sent to. */
  async cancel(checkoutUrl: string): Promise<string> {
    return press(checkoutUrl, { action: 'cancel' })
  }
}

/** Returns the address that the answer redirects to. */
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
    422: 'What was entered is not a card that is good, or not a phone number.',
    409: 'The session is under way or has ended; only a PENDING one takes this. Make a new one.',
  }[response.status]
  throw new MfanoError({
    code: 'CHECKOUT_REFUSED',
    status: response.status,
    message: `${request} (${[form['action'], form['method']].filter(Boolean).join(' ')}) answered ${response.status}.`,
    ...(why && { hint: why }),
  })
}
