/** Callbacks as a stranger makes them up who knows the address, and has seen others: without a signature. */
import type { Post } from '../../core/host.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { strangers } from './choice.ts'

/** Ids of a payment that exists nowhere. */
const NOWHERE = { uuid: '00000000-dead-4000-8000-000000000000', referenceId: 'nobody-1' }

/** What a stranger posts before the true callback; undefined where there is nothing to make it of. */
export function forged(
  post: Post,
  as: (typeof strangers)[number],
  { payment, others }: { payment: Payment; others: readonly Payment[] },
): Post | undefined {
  const headers = Object.fromEntries(Object.entries(post.headers).filter(([name]) => !name.startsWith('webhook-')))
  const saying = (body: string, url = post.url) => ({ ...post, url, headers, body: successful(body) })
  switch (as) {
    case 'stranger-amount':
      return saying(post.body.replace(/("amount":"?)(\d)/, '$19$2'))
    case 'stranger-unknown':
      return saying(renamed(post.body, payment, NOWHERE))
    case 'stranger-other': {
      const other = others.find(({ callbackUrl }) => callbackUrl !== null)
      return other && saying(renamed(post.body, payment, other), other.callbackUrl as string)
    }
  }
}

function successful(body: string): string {
  return body.replace(/("status":")\w+"/, '$1SUCCESS"')
}

function renamed(body: string, from: Pick<Payment, 'uuid' | 'referenceId'>, to: typeof from): string {
  const said = body.replaceAll(from.uuid, to.uuid)
  return from.referenceId === null ? said : said.replaceAll(`"${from.referenceId}"`, JSON.stringify(to.referenceId))
}
