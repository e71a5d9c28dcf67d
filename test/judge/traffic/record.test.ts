/** The recording proxy: it passes everything on as it comes, and writes down no secret. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { recordTraffic } from '../../../src/judge/record-traffic.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { serving } from '../../support/listening.ts'
import { recorded } from './support.ts'

const KEY = 'k-7f2b9c1d'
const SECRET = 's3cr3t/with "signs"'
const SESSION = 'session-94ab'
const PIN = 4021

interface Har {
  log: { entries: unknown[] }
}

/** A service that answers with what it was asked; `/slowly` in two parts, the second when it is told to. */
function upstream() {
  let goOn = () => {}
  return serving(async (request, response) => {
    const sent = await text(request)
    const { method, url = '' } = request
    if (url === '/slowly') {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first ')
      goOn = () => response.end('second')
      return
    }
    if (url === '/go-on') goOn()
    const body = JSON.stringify({ method, url, sent, amount: 1000.5, api_key: KEY })
    response.writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': `id=${SESSION}`,
      'content-encoding': 'gzip',
    })
    response.end(gzipSync(body.replace('1000.5', '1000.0')))
  })
}

it('passes every method on, and bodies while they come', async () => {
  const { file } = await recorded(await upstream(), async (url) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = ['GET', 'OPTIONS'].includes(method) ? {} : { body: `sent by ${method}` }
      const answered = await fetch(`${url}/any?of=them`, { method, ...body })
      expect(await answered.json()).toMatchObject({ method, url: '/any?of=them', sent: body.body ?? '' })
    }
    expect((await fetch(`${url}/any`, { method: 'HEAD' })).status).toBe(200)
    const reader = (await fetch(`${url}/slowly`)).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('first ')
    await (await fetch(`${url}/go-on`)).text()
    expect((await reader?.read())?.value).toBe('second')
    await reader?.read()
  })
  const { entries } = JSON.parse(readFileSync(file, 'utf8')).log
  expect(entries).toHaveLength(9)
  expect(entries.map((one: { response: { content: { text: string } } }) => one.response.content.text)).toContain(
    'first second',
  )
})

it('writes down no secret, wherever it stands, and numbers as they are written', async () => {
  const { file, said } = await recorded(await upstream(), async (url) => {
    // Where nothing says that it is one, before anybody could know.
    await (await fetch(`${url}/of/hunter-22`)).text()
    const headers = {
      authorization: 'Bearer opaque-token-1',
      'x-api-key': KEY,
      'x-device-pin': '86420',
      cookie: `id=${SESSION}`,
      referer: 'https://merchant.example/?access_token=referred-33',
    }
    const body = JSON.stringify({
      apiSecret: SECRET,
      pin: PIN,
      note: `my secret is ${SECRET}`,
      card: { number: '4111111111111111' },
      otp: '493817',
      callbackUrl: 'https://hook:basic-99@merchant.example/told?sig=signed-by-77&token=hook-token-5',
    })
    await (await fetch(`${url}/login?access_token=opaque-token-1`, { method: 'POST', headers, body })).text()
    await (await fetch(`${url}/after?note=${encodeURIComponent(SECRET)}`)).text()
    const form = new URLSearchParams({ password: 'hunter-22', name: 'Jane' })
    await (await fetch(`${url}/form`, { method: 'POST', body: form })).text()
  })
  const hidden = ['493817', 'basic-99', 'signed-by-77', 'hook-token-5', '86420', 'referred-33']
  const plainly = [KEY, SECRET, SESSION, `${PIN}`, 'opaque-token-1', '4111111111111111', 'hunter-22', ...hidden]
  const written = plainly.flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)])
  const nested = JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)
  for (const one of [...written, nested]) expect(said).not.toContain(one)
  expect(readFileSync(file, 'utf8')).toContain('1000.0')
  expect(readFileSync(file, 'utf8')).toContain('name=Jane')
})

/** Asks for a target as it is written, which `fetch` would take apart. */
function askFor(port: string, method: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer of-the-caller-1' }
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answered) => {
      let text = ''
      answered.setEncoding('utf8').on('data', (more) => {
        text += more
      })
      answered.on('end', () => resolve({ status: answered.statusCode ?? 0, text }))
    })
    asked.on('error', reject).end()
  })
}

it('passes on a body that is too long to be kept, as a client sends it that asks first', async () => {
  const body = 'x'.repeat(6_000_000)
  const { file } = await recorded(await upstream(), async (url) => {
    const headers = { expect: '100-continue', 'content-length': body.length }
    const asked = request(`${url}/long`, { method: 'POST', headers })
    asked.once('continue', () => asked.end(body))
    const [answered] = await once(asked, 'response')
    expect([answered.statusCode, JSON.parse(await text(answered)).sent.length]).toEqual([200, body.length])
  })
  const [entry] = JSON.parse(readFileSync(file, 'utf8')).log.entries
  expect([entry.request.url, entry.request.postData]).toEqual([expect.stringContaining('/long'), undefined])
})

it('refuses what is meant for another host, and goes on', async () => {
  const { file } = await recorded(await upstream(), async (url) => {
    const { port } = new URL(url)
    for (const [method, target] of [
      ['GET', 'http://example.invalid/abs'],
      ['OPTIONS', '*'],
    ] as const) {
      const { status, text } = await askFor(port, method, target)
      expect({ status, text }).toEqual({
        status: 400,
        text: expect.stringContaining(`expected a path that begins with "/", got "${target}"`),
      })
    }
    expect((await fetch(`${url}/after`)).status).toBe(200)
  })
  const { entries } = JSON.parse(readFileSync(file, 'utf8')).log
  expect(entries.map((one: { request: { url: string } }) => new URL(one.request.url).pathname)).toEqual(['/after'])
})

it('breaks off what the service breaks off, says so, and goes on', async () => {
  const service = await serving((request, response) => {
    response.writeHead(200).write('a part')
    if (request.url === '/whole') response.end()
    else request.socket.end()
  })
  const said: string[] = []
  const recording = await recordTraffic({
    ...{ upstream: new URL(service), port: 0, out: join(folder(), 'traffic.har') },
    passed: ({ path, status }) => said.push(`${path} ${status}`),
    failed: (text) => said.push(text),
  })
  const answers = ['/part', '/whole'].map(async (path) => (await fetch(recording.url + path)).text())
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await recording.close()).toBe(1)
  expect(said.toSorted()).toEqual(['/whole 200', 'GET /part was not passed on: other side closed'])
})

it('has no secret on disk from the moment that it knows it for one', async () => {
  await recorded(await upstream(), async (url, file) => {
    const written = (entries: number) =>
      expect.poll(() => (JSON.parse(readFileSync(file, 'utf8')) as Har).log.entries.length).toBe(entries)
    await (await fetch(`${url}/of/hunter-22`)).text()
    await written(1)
    expect(readFileSync(file, 'utf8')).toContain('hunter-22')
    const form = new URLSearchParams({ password: 'hunter-22' })
    await (await fetch(`${url}/form`, { method: 'POST', body: form })).text()
    await written(2)
    expect(readFileSync(file, 'utf8')).not.toContain('hunter-22')
    await (await fetch(`${url}/more`)).text()
    await written(3)
  })
})

it('says what it cannot do', async () => {
  const there = folder({ 'traffic.har': 'mine' })
  const typed = ['record', '--upstream', 'http://127.0.0.1:9', '--out', `${there}/traffic.har`]
  expect(await answer(typed)).toMatchObject({ code: 2, errors: expect.stringMatching(/is there already/) })
  expect(await answer(['record'])).toMatchObject({ code: 2, errors: expect.stringMatching(/--upstream: expected/) })
})
