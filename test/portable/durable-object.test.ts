import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare, Response } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'

// The core must stay portable: a world has to run where there is no Node, no file and no timer, only what it is handed.

let miniflare: Miniflare
let told: (body: unknown) => void
const callback = new Promise((resolve) => {
  told = resolve
})

beforeAll(async () => {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, 'durable-object.ts')],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
    loader: { '.yaml': 'text' },
    logLevel: 'error',
  })
  miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-01-01',
    durableObjects: { WORLDS: { className: 'SandboxWorld', useSQLite: true } },
    outboundService: async (request: { json(): Promise<unknown> }) => {
      told(await request.json())
      return new Response('noted')
    },
  })
  await miniflare.ready
})

afterAll(async () => {
  await miniflare?.dispose()
})

it('takes a payout to its end in a Durable Object, woken by its alarm', async () => {
  const send = async (
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const response = await miniflare.dispatchFetch(`http://mfano.example${path}`, init)
    // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
    return { status: response.status, body: (await response.json()) as any }
  }
  const json = { 'content-type': 'application/json' }
  const login = await send('/api/v1/get-token', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
  })
  expect(login).toMatchObject({ status: 200 })
  const authorization = `Bearer ${login.body.data.access_token}`

  const created = await send('/api/sandbox/v1/send-money', {
    method: 'POST',
    headers: { ...json, authorization },
    body: JSON.stringify({
      phoneNumber: '254712345678',
      amount: 1000,
      remarks: 'Salary',
      occasion: 'January',
      callbackUrl: 'http://merchant.example/callback',
    }),
  })
  expect(created).toMatchObject({ status: 201, body: { data: { status: 'PENDING', amount: 1000 } } })
  const { requestId } = created.body.data

  expect(await callback).toEqual({ requestId, phoneNumber: '254712345678', status: 'SUCCESS', amount: 1000 })
  const company = '00000000-0000-4000-8000-000000000001'
  const read = await send(`/api/sandbox/v1/send-money/single?requestId=${requestId}&companyId=${company}`, {
    headers: { authorization },
  })
  expect(read.body.data).toMatchObject({ uuid: requestId, status: 'SUCCESS' })
  expect((await send('/_mfano/ledger')).body.imbalances).toEqual([])
  expect((await send(`/_mfano/payments/${requestId}`)).body).toMatchObject({
    rule: 'quick success',
    callbacks: [{ state: 'delivered' }],
  })
  expect((await send('/openapi.json')).body.openapi).toMatch(/^3\.1/)

  const control = (path: string, body: object) =>
    send(`/_mfano${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
  expect(await control('/wait', { for: 'payment', where: 'payment.status == "SUCCESS"' })).toMatchObject({
    status: 200,
    body: { matches: [{ uuid: requestId }] },
  })
  expect(await control('/wait', { for: 'inbox', timeout: '20ms' })).toMatchObject({ status: 408 })
  expect(await control('/clock/settle', {})).toMatchObject({ status: 200, body: { ended: 'nothing is pending' } })
})
