/** A first merchant file, from an app that runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../../src/judge/app/free-port.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { answer, folder } from './support.ts'

/** An app that answers these addresses with 200 and JSON, and everything else with 404. */
async function appWith(answers: Record<string, unknown>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = url in answers ? 200 : 404
    response.end(JSON.stringify(answers[url] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const contract = {
  openapi: '3.1.0',
  paths: {
    '/healthz': { get: {} },
    '/salaries': { post: body({ $ref: '#/components/schemas/Salary' }), get: {} },
    '/salaries/{id}/cancel': { post: {} },
    '/callbacks': { post: body({ type: 'object' }) },
    '/tick': { post: body({ type: 'object' }) },
    '/books': { get: {} },
  },
  components: {
    schemas: {
      Salary: {
        type: 'object',
        required: ['employee', 'phone', 'amount', 'parts'],
        properties: {
          employee: { type: 'string' },
          phone: { type: 'string' },
          amount: { type: 'integer' },
          currency: { type: 'string' },
          way: { enum: ['phone', 'bank'] },
          parts: {
            type: 'array',
            items: { type: 'object', properties: { note: { type: 'string', example: 'Lunch' } } },
          },
        },
      },
    },
  },
}

const init = (url: string, out: string, ...more: string[]) => answer(['gauntlet', '--init', url, '--out', out, ...more])

it('is drafted from the contract of the app, and read by the judges', async () => {
  const url = await appWith({ '/openapi.json': contract })
  const file = join(folder(), 'merchant.yaml')
  const { code, out } = await init(url, file)
  expect([code, out]).toEqual([
    0,
    `Written: ${file} (1 acts, from /openapi.json; books at /books; tick at /tick)\nCheck its command and env, then: mfano gauntlet ${file}\n`,
  ])
  expect(readMerchantFile(file)).toMatchObject({
    processes: [{ command: 'npm start', ready: { method: 'GET', path: '/healthz' } }],
    tick: { method: 'POST', path: '/tick', body: { now: '{now}' } },
    books: { method: 'GET', path: '/books' },
    reset: undefined,
    acts: [
      {
        name: 'salaries',
        request: {
          method: 'POST',
          path: '/salaries',
          body: { employee: 'employee-{n}', phone: '25471200000{n}', amount: 1000, parts: [{ note: 'Lunch' }] },
        },
      },
    ],
  })
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=http:\/\/localhost:8080\/_mfano\/merchant\.schema\.json\n/)
  for (const left of ['POST /salaries/{id}/cancel', 'POST /callbacks']) expect(text).toContain(`#   ${left}\n`)
})

it('is drafted from what answers, where there is no contract, and says what to look at', async () => {
  const url = await appWith({ '/health': {}, '/payments': [] })
  const file = join(folder(), 'merchant.yaml')
  const { out } = await init(url, file)
  expect(out).toContain('no contract was found, so look at the acts; books at /payments; no tick')
  expect(readMerchantFile(file)).toMatchObject({
    processes: [{ ready: { path: '/health' } }],
    books: { path: '/payments' },
  })
  expect(readFileSync(file, 'utf8')).toContain('# No route was found that people use')
})

it('has the command of the process that listens there, in the folder of the file', async () => {
  const source = `require('node:http').createServer((q, r) => r.end('{}')).listen(process.argv[2], '127.0.0.1', function () { console.log(this.address().port) })`
  const here = folder({ 'my shop.cjs': source })
  const port = await freePort()
  const app = spawn(process.execPath, [join(here, 'my shop.cjs'), String(port)], { cwd: here })
  onTestFinished(() => void app.kill())
  await once(app.stdout, 'data')
  await init(`http://localhost:${port}`, join(here, 'merchant.yaml'))
  const known = existsSync('/proc/net/tcp')
  expect(readMerchantFile(join(here, 'merchant.yaml')).processes[0]?.command).toBe(
    known ? "node 'my shop.cjs' {port}" : 'npm start',
  )
  const elsewhere = join(folder(), 'merchant.yaml')
  await init(`http://localhost:${port}`, elsewhere)
  expect(readMerchantFile(elsewhere).processes[0]?.command).toBe('npm start')
})

it('overwrites nothing, and says where nobody answers', async () => {
  const there = join(folder({ 'merchant.yaml': 'name: mine\n' }), 'merchant.yaml')
  expect(await init(await appWith({}), there)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('is there already'),
  })
  expect(readFileSync(there, 'utf8')).toBe('name: mine\n')
  const nobody = await init('http://127.0.0.1:1', join(folder(), 'merchant.yaml'))
  expect(nobody).toMatchObject({ code: 2, errors: expect.stringContaining('Nobody answers at http://127.0.0.1:1') })
})

it('takes its acts from recorded requests to the app', async () => {
  const url = await appWith({ '/health': {}, '/books': [] })
  const sent = (path: string, body?: object, status = 200, at = url) => ({
    startedDateTime: '2025-01-24T16:28:00.000Z',
    request: {
      ...{ method: body ? 'POST' : 'GET', url: at + path, headers: [], bodySize: -1 },
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: { status, headers: [], content: { size: 0, mimeType: '', text: '' } },
  })
  const entries = [
    sent('/salaries?dry=no', { employee: 'E17', phone: '254712000017', way: 'phone2', amount: 1000 }),
    sent('/salaries', { employee: 'E18', phone: '254712000018', way: 'phone2', amount: 2000 }),
    sent('/salaries', { employee: 'E19' }, 422),
    sent('/salaries/17/cancel', {}),
    sent('/callbacks', { status: 'SUCCESS' }),
    sent('/api/sandbox/v1/send-money', { amount: 1 }, 201, 'http://localhost:8080'),
    sent('/books'),
  ]
  const dir = folder()
  const [har, file] = [join(dir, 'app.har'), join(dir, 'merchant.yaml')]
  writeFileSync(har, JSON.stringify({ log: { entries } }))
  expect((await init(url, file, '--from', har)).out).toContain(`(1 acts, from ${har}; books at /books;`)
  const { acts } = parse(readFileSync(file, 'utf8'))
  const body = { employee: 'E1{n}', phone: '25471200001{n}', way: 'phone2', amount: 1000 }
  expect(acts).toEqual({ salaries: { post: '/salaries', body } })
})
