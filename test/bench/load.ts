/** Sends one kind of request as fast as a server takes it, from 100 connections. */
import autocannon from 'autocannon'
import { given, median } from './kit.ts'

export interface Load {
  url: string
  /** How long; or so many requests. */
  seconds?: number
  requests?: number
  connections?: number
  token?: string
  /** Where its payments are told; nobody listens at the usual one. */
  callbackUrl?: string
}
export interface Loaded {
  perSecond: number
  requests: number
  /** From a request to its answer, without what the machine gave to others. */
  medianMs: number
}

const { url, seconds, requests, connections = 100, token, callbackUrl = 'http://127.0.0.1:9/callback' } = given<Load>()
const waitedMs: number[] = []

const running = autocannon({
  url,
  connections,
  ...(requests === undefined ? { duration: seconds } : { amount: requests }),
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
  // `[<id>]` is another text in every request.
  idReplacement: true,
  body: JSON.stringify({
    phoneNumber: '254711100100',
    amount: 10.5,
    currencyCode: 'KSH',
    remarks: 'Salary for January',
    occasion: 'Salary',
    callbackUrl,
    referenceId: 'order-[<id>]',
  }),
})
running.on('response', (_client, _status, _bytes, tookMs) => waitedMs.push(tookMs))
const result = await running
const answers = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${count} × ${status}`)
if (result.errors > 0 || result.non2xx > 0 || Object.keys(result.statusCodeStats).join() !== '201') {
  throw new Error(`expected nothing but 201, got ${answers.join(', ')} and ${result.errors} errors`)
}
console.log(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    requests: result['2xx'],
    medianMs: median(waitedMs),
  } satisfies Loaded),
)
