/** Callbacks as a stranger makes them up who knows the address, and has seen others: without a signature. */
import type { Post } from '../../../core/host.ts'
import type { Payment } from '../../../core/model/payment.ts'

const NOWHERE = { uuid: '00000000-dead-4000-8000-000000000000', referenceId: 'nobody-1' }

export interface KnownPayments {
  payment: Payment
  others: readonly Payment[]
}

export function withLargerAmount(post: Post): Post {
  return unsigned(post, post.body.replace(/("amount":"?)(\d)/, '$19$2'))
}

export function aboutNobody(post: Post, { payment }: KnownPayments): Post {
  return unsigned(post, renamed(post.body, payment, NOWHERE))
}

export function aboutAnother(post: Post, { payment, others }: KnownPayments): Post | undefined {
  const other = others.find(({ callbackUrl }) => callbackUrl !== null)
  return other && unsigned(post, renamed(post.body, payment, other), other.callbackUrl ?? post.url)
}

function unsigned(post: Post, body: string, url = post.url): Post {
  const headers = Object.fromEntries(Object.entries(post.headers).filter(([name]) => !name.startsWith('webhook-')))
  return { ...post, url, headers, body: body.replace(/("status":")\w+"/, '$1SUCCESS"') }
}

function renamed(body: string, from: Pick<Payment, 'uuid' | 'referenceId'>, to: typeof from): string {
  const said = body.replaceAll(from.uuid, to.uuid)
  return from.referenceId === null ? said : said.replaceAll(`"${from.referenceId}"`, JSON.stringify(to.referenceId))
}
