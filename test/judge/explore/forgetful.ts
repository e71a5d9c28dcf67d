/** An app whose first start leaves something behind, so that it is another one from then on. */
import { join } from 'node:path'
import { folder } from '../../apps/cli/support.ts'

/** Pays one salary in each act, and books another amount the first time that it is started. */
export const forgetful = `
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const isFirst = !existsSync('started')
writeFileSync('started', '')
const lines = []
const ask = async (path, body, headers) => {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  return (await fetch(process.env.PAYMENTS_BASE_URL + path, sent)).json()
}
createServer(async (request, response) => {
  if (request.url === '/pay') {
    const { data } = await ask('/api/v1/get-token', { apiKey: process.env.KEY, apiSecret: process.env.SECRET })
    const reference = 'salary-' + lines.length
    lines.push({ reference, amount: isFirst ? 90 : 100, kind: 'send-money' })
    const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Salary', occasion: reference, referenceId: reference }
    const callbackUrl = 'http://127.0.0.1:' + process.env.PORT + '/told'
    await ask('/api/sandbox/v1/send-money', { ...payout, callbackUrl }, { authorization: 'Bearer ' + data.access_token })
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/books' ? lines : {}))
}).listen(process.env.PORT, '127.0.0.1')
`

/** The merchant file of such an app, in a folder of its own. */
export function forgetfulMerchant(text = forgetful): string {
  const env = '{ PORT: "{port}", PAYMENTS_BASE_URL: "{baseUrl}", KEY: "{apiKey}", SECRET: "{apiSecret}" }'
  const merchant = `
name: forgetful
app: { command: ${process.execPath} app.mjs, env: ${env}, ready: { get: /health } }
acts: { pay: { post: /pay } }
books: { get: /books }
`
  return join(folder({ 'app.mjs': text, 'merchant.yaml': merchant }), 'merchant.yaml')
}
