import autocannon from 'autocannon'
import { given } from './kit.ts'

export interface Load {
  url: string
  requests: number
  token?: string
  /** 100 when left out. */
  connections?: number
  /** Where its payments are told; nobody listens at the usual one. */
  callbackUrl?: string
}

export interface Loaded {
  /** Of a hundred answers, one took longer. */
  p99Ms: number
}

const { url, requests, token, connections = 100, callbackUrl = 'http://127.0.0.1:9/callback' } = given<Load>()
const body = {
  phoneNumber: '254711100100',
  amount: 10.5,
  currencyCode: 'KSH',
  remarks: 'Salary for January',
  occasion: 'Salary',
  callbackUrl,
  // Another text in every request.
  referenceId: 'order-[<id>]',
}
const { errors, statusCodeStats, latency } = await autocannon({
  url,
  connections,
  amount: requests,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  idReplacement: true,
  body: JSON.stringify(body),
})
if (errors > 0 || Object.keys(statusCodeStats).join() !== '201')
  throw new Error(`expected nothing but 201: ${JSON.stringify(statusCodeStats)} and ${errors} errors`)
console.log(JSON.stringify({ p99Ms: latency.p99 } satisfies Loaded))
