/** Sends payouts as fast as a server takes them, from 100 connections. */
import autocannon from 'autocannon'
import { given } from './kit.ts'

export interface Load {
  url: string
  requests: number
  token?: string
  /** Where its payments are told; nobody listens at the usual one. */
  callbackUrl?: string
}

const { url, requests, token, callbackUrl = 'http://127.0.0.1:9/callback' } = given<Load>()
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
const { errors, statusCodeStats } = await autocannon({
  url,
  connections: 100,
  amount: requests,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  idReplacement: true,
  body: JSON.stringify(body),
})
if (errors > 0 || Object.keys(statusCodeStats).join() !== '201')
  throw new Error(`expected nothing but 201: ${JSON.stringify(statusCodeStats)} and ${errors} errors`)
console.log('{}')
