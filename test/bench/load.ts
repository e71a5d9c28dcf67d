/** Sends one kind of request as fast as a server takes it, from 100 connections. */
import autocannon, { type Client } from 'autocannon'
import { given, median } from './kit.ts'

const USUAL_URL = 'http://127.0.0.1:9/callback'

export interface Load {
  url: string
  /** How long; or so many requests. */
  seconds?: number
  requests?: number
  connections?: number
  token?: string
  /** Where its payments are told; nobody listens at the usual one. */
  callbackUrl?: string
  /** What is asked of a peer in place of a payout. */
  peer?: PeerRequest
}
/** One request of another service than ours. */
export interface PeerRequest {
  contentType: string
  /** `[<id>]` is another text in every request. */
  body: string
  /** What it answers when it took it. */
  status: number
  /** Each connection has a token of its own, which begins so: each caller may ask only so often. */
  tokens: string
}
export interface Loaded {
  perSecond: number
  requests: number
  /** From a request to its answer, without what the machine gave to others. */
  medianMs: number
}

const { url, seconds, requests, connections = 100, token, callbackUrl = USUAL_URL, peer } = given<Load>()
const status = peer?.status ?? 201
const headers = {
  'content-type': peer?.contentType ?? 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
}
const waitedMs: number[] = []
let connected = 0

const running = autocannon({
  url,
  connections,
  ...(requests === undefined ? { duration: seconds } : { amount: requests }),
  method: 'POST',
  headers,
  ...(peer && {
    setupClient: (client: Client) =>
      client.setHeaders({ ...headers, authorization: `Bearer ${peer.tokens}${process.pid}_${connected++}` }),
  }),
  // `[<id>]` is another text in every request.
  idReplacement: true,
  body: peer?.body ?? payout(),
})
const startedMs = performance.now()
let lastMs = startedMs
running.on('response', (_client, _status, _bytes, tookMs) => {
  waitedMs.push(tookMs)
  lastMs = performance.now()
})
const result = await running
const answers = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${count} × ${status}`)
if (result.errors > 0 || result.non2xx > 0 || Object.keys(result.statusCodeStats).join() !== String(status)) {
  throw new Error(`expected nothing but ${status}, got ${answers.join(', ')} and ${result.errors} errors`)
}
console.log(
  JSON.stringify({
    // Of a number of requests autocannon tells the whole seconds that they took.
    perSecond: result['2xx'] / (requests === undefined ? result.duration : (lastMs - startedMs) / 1000),
    requests: result['2xx'],
    medianMs: median(waitedMs),
  } satisfies Loaded),
)

function payout(): string {
  return JSON.stringify({
    phoneNumber: '254711100100',
    amount: 10.5,
    currencyCode: 'KSH',
    remarks: 'Salary for January',
    occasion: 'Salary',
    callbackUrl,
    referenceId: 'order-[<id>]',
  })
}
