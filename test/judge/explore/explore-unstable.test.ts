/** Nothing that was seen is silent: what does not come each time is told first, and fails; and time is kept. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'

const LONG_MS = 120_000

/** Pays one salary in each act, and books another amount the first time that it is started. */
const forgetful = `
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const isFirst = !existsSync('started')
writeFileSync('started', '')
const lines = []
const ask = async (path, body, headers) => {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  return (await fetch(process.env.PAYMENTS_URL + path, sent)).json()
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

function app(text = forgetful): string {
  const env = '{ PORT: "{port}", PAYMENTS_URL: "{baseUrl}", KEY: "{apiKey}", SECRET: "{apiSecret}" }'
  const merchant = `
name: forgetful
app: { command: ${process.execPath} app.mjs, env: ${env}, ready: { get: /health } }
acts: { pay: { post: /pay } }
books: { get: /books }
`
  return join(folder({ 'app.mjs': text, 'merchant.yaml': merchant }), 'merchant.yaml')
}

it(
  'fails on what an ordinary day shows once and not again, shows both runs, and goes on',
  async () => {
    const { code, out } = await answer(['explore', app(), '--within', '1d', '--schedules', '5'])
    expect(code).toBe(1)
    expect(out).toMatch(/Not repeatable: seen, but not each time/)
    expect(out).toMatch(/wrong_amount with 0 choices/)
    expect(out).toMatch(/with the same events in the same order\. Only the books differ/)
    expect(out).toMatch(/1 unstable\./)
    // It is the ordinary day, three days to confirm what it showed, and more.
    expect(Number(/(\d+) runs/.exec(out)?.[1])).toBeGreaterThan(4)
  },
  LONG_MS,
)

it(
  'lets it pass where that is allowed',
  async () => {
    const typed = ['explore', app(), '--json', '--within', '1d', '--schedules', '4', '--allow-unstable']
    const { code, out } = await answer(typed)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ findings: [], unstable: [{ code: 'wrong_amount' }] })
  },
  LONG_MS,
)

it('gives no verdict where the time was over before the ordinary day', async () => {
  const { code, out } = await answer(['explore', app(), '--json', '--within', '1ms'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ findings: [], unjudged: expect.stringMatching(/time was over/) })
})

it(
  'searches an app that died once before it asked for anything, from an ordinary day on which it lived',
  async () => {
    const late = forgetful
      .replace("if (request.url === '/pay') {", '$& if (isFirst) process.exit(3)')
      .replace('isFirst ? 90 : 100', '100')
    const { code, out } = await answer(['explore', app(late), '--within', '1d', '--schedules', '12', '--json'])
    expect(code).toBe(1)
    const { unstable, schedules } = JSON.parse(out)
    expect(unstable[0]).toMatchObject({ code: 'app_died', choices: [] })
    expect(schedules.run).toBeGreaterThan(8)
  },
  LONG_MS,
)
