import { createHmac, timingSafeEqual } from 'node:crypto'

/** A receiver's side of Standard Webhooks, written from its specification and not from our sender. */
export class Webhook {
  readonly #key: Buffer
  constructor(secret: string) {
    this.#key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  }

  verify(body: string, headers: Record<string, string | string[] | undefined>): boolean {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const expected = createHmac('sha256', this.#key).update(signed).digest()
    return String(headers['webhook-signature'])
      .split(' ')
      .map((part) => Buffer.from(part.replace(/^v1,/, ''), 'base64'))
      .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  }
}
