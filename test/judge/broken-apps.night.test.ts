/** Apps that cannot be judged, or break while they are: a clear message, no process left over, no report lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answer, folder } from '../apps/cli/support.ts'
import { entry } from '../support/program-entry.ts'

const LONG_MS = 120_000
vi.setConfig({ testTimeout: LONG_MS })

/** An app in Node: `handle` is the body of its request listener. Its merchant file, and its folder. */
function app(handle: string, { before = '', listen = "server.listen(process.env.PORT, '127.0.0.1')" } = {}) {
  const directory = folder({
    'app.mjs': `
import { createServer } from 'node:http'
import { spawn } from 'node:child_process'
${before}
const server = createServer(async (request, response) => {
  ${handle}
  response.setHeader('content-type', 'application/json').end('[]')
})
${listen}
`,
    'merchant.yaml': `
name: broken
app:
  command: ${process.execPath} app.mjs
  env: { PORT: "{port}", PAYMENTS_BASE_URL: "{baseUrl}", KEY: "{apiKey}", SECRET: "{apiSecret}", COMPANY: "{companyId}" }
  ready: { get: /health }
acts:
  pay: { post: /pay }
books: { get: /books }
`,
  })
  return { directory, file: join(directory, 'merchant.yaml') }
}

/** What is said of an app that got ready, and paid nobody. */
const GOT_READY = {
  code: 2,
  findings: [],
  scenarios: [{ verdict: 'unjudged', why: expect.stringContaining('what the app answered: /pay 200') }],
}

/** Pays somebody, and has no line of it in its books. */
const PAYS = `
  if (request.url === '/pay') {
    const ask = async (path, body, headers) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
      return (await fetch(process.env.PAYMENTS_BASE_URL + path, sent)).json()
    }
    const { data } = await ask('/api/v1/get-token', { apiKey: process.env.KEY, apiSecret: process.env.SECRET })
    const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Salary', occasion: 'January' }
    const callbackUrl = 'http://127.0.0.1:' + process.env.PORT + '/told'
    await ask('/api/sandbox/v1/send-money', { ...payout, callbackUrl }, { authorization: 'Bearer ' + data.access_token })
  }
`

/** Has the service's own list as its books. */
const LISTS = `
  if (request.url === '/books' && !isEmpty) {
    const service = process.env.PAYMENTS_BASE_URL
    const body = JSON.stringify({ apiKey: process.env.KEY, apiSecret: process.env.SECRET })
    const login = await fetch(service + '/api/v1/get-token', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const headers = { authorization: 'Bearer ' + (await login.json()).data.access_token }
    const list = await fetch(service + '/api/sandbox/v1/send-money/all?companyId=' + process.env.COMPANY, { headers })
    const books = (await list.json()).data.map(({ uuid, amount, status }) => ({ requestId: uuid, amount, status }))
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(books))
  }
`

async function judge(file: string, ...more: string[]) {
  const { code, out, errors } = await answer(['gauntlet', file, '--json', '--scenario', 'default', ...more])
  return { code, errors, ...JSON.parse(out) }
}

/** The processes that work in a folder, by their ids. */
function atWorkIn(directory: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === directory
    } catch {
      return false
    }
  })
}

/** Waits until nothing is left of what was started in a folder; where the system has no such list, nobody looks. */
async function expectNobodyLeft(directory: string): Promise<void> {
  if (existsSync('/proc')) await expect.poll(() => atWorkIn(realpathSync(directory)), { timeout: LONG_MS }).toEqual([])
}

it('says what an app said that ends at once', async () => {
  const { file } = app('', { before: "console.error('no licence found'); process.exit(3)" })
  const { code, scenarios, findings } = await judge(file)
  expect({ code, findings }).toEqual({ code: 2, findings: [] })
  expect(scenarios[0].why).toMatch(/ended with exit code 3 before it answered GET .*no licence found/s)
})

it('gives up an app that never gets ready, and ends all that it started', async () => {
  const { file, directory } = app('', {
    before: "spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e8)'], { stdio: 'ignore' })",
    listen: 'server.listen(0)',
  })
  const { code, scenarios } = await judge(file, '--ready-within', '2')
  expect(code).toBe(2)
  expect(scenarios[0].why).toMatch(/did not get ready within 2 s: .*Does it listen on the port that it is given/s)
  await expectNobodyLeft(directory)
})

it('says that a port is taken', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const { port } = holder.address() as AddressInfo
  const { file } = app('', { listen: `server.listen(${port}, '127.0.0.1')` })
  const { code, scenarios } = await judge(file)
  expect(code).toBe(2)
  expect(scenarios[0].why).toMatch(/Its port is taken: does it listen on the one that it is given/)
})

it('tries another port where somebody took the first before the app did', async () => {
  const { file, directory } = app('', {
    before: `
import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync('ports', process.env.PORT + ' ')
if (readFileSync('ports', 'utf8').trim().split(' ').length === 1) throw new Error('listen EADDRINUSE: address already in use')`,
  })
  expect(await judge(file)).toMatchObject(GOT_READY)
  const ports = readFileSync(join(directory, 'ports'), 'utf8').trim().split(' ')
  expect(ports).toHaveLength(2)
  expect(new Set(ports).size).toBe(2)
})

it('waits for one that starts slowly', async () => {
  const { file } = app("if (request.url === '/health' && left-- > 0) response.statusCode = 503", {
    before: 'let left = 3',
  })
  expect(await judge(file)).toMatchObject(GOT_READY)
})

it('finds out an app that dies of what people do to it', async () => {
  const { file } = app(`if (request.url === '/pay') {
      await fetch(process.env.PAYMENTS_BASE_URL + '/api/v1/paper')
      console.error('out of paper')
      process.exit(1)
    }`)
  const { code, findings } = await judge(file)
  expect(code).toBe(1)
  expect(findings).toMatchObject([{ code: 'app_died', scenario: 'default' }])
  expect(findings[0].text).toMatch(/ended with exit code 1 by itself.*out of paper/s)
  expect(findings[0].requests.join()).toMatch(/GET \/api\/v1\/paper → 404/)
})

it.each([
  ['dies of what people do, where it catches that error', 'throw new Error("out of paper")'],
  ['never rests, where it stops after some attempts', 'for (let tried = 0; tried < 5; tried++) await asked()'],
])('does not find out that an app %s', async (_, work) => {
  const { file } = app(`if (request.url === '/pay') {
      const asked = () => fetch(process.env.PAYMENTS_BASE_URL + '/api/v1/x').then((one) => one.text())
      try {
        await asked()
        ${work}
      } catch (error) {
        console.error(error.message)
      }
    }`)
  expect(await judge(file)).toMatchObject({ findings: [], warnings: [] })
})

it('finds out an app that never comes to rest', async () => {
  const { file } = app(
    "if (request.url === '/pay') for (;;) await fetch(process.env.PAYMENTS_BASE_URL + '/api/v1/x').then((one) => one.text())",
  )
  const { code, findings } = await judge(file, '--rest-within', '600')
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { code: 'never_quiet', text: expect.stringMatching(/asked the service \d{4} times without ever/) },
  ])
})

it('is not sure of what came three times by chance, where the same came and went elsewhere', async () => {
  const { file, directory } = app(PAYS + LISTS, {
    before: `
import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync('starts', '.')
const isEmpty = [2, 3, 4, 5, 6].includes(readFileSync('starts', 'utf8').length)`,
  })
  const scenarios = ['--scenario', 'callback-lost', '--scenario', 'callback-twice', '--jobs', '1']
  const { code, findings, unstable } = await judge(file, ...scenarios)
  expect([code, findings]).toEqual([1, []])
  const seen = unstable.map(({ code, scenario }: Record<string, string>) => `${code} ${scenario}`)
  expect([...new Set(seen)].toSorted()).toEqual(['paid_unknown callback-lost', 'paid_unknown callback-twice'])
  // The ordinary day, what came four times, what came once and then neither patiently nor at once, and the first again.
  expect(readFileSync(join(directory, 'starts'), 'utf8')).toHaveLength(1 + 4 + 5 + 1)
})

it('is interrupted with what was found so far, and leaves nothing behind', async () => {
  const { file, directory } = app(PAYS)
  const typed = [entry, 'gauntlet', file, '--full', '--jobs', '1', '--junit', 'report.xml']
  const child = spawn(process.execPath, typed, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (out === '') child.kill('SIGINT')
    out += text
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(1)
  expect(out).toMatch(/It was interrupted: this is what was found so far/)
  expect(readFileSync(join(directory, 'report.xml'), 'utf8')).toMatch(/<testcase classname="broken" name="default"/)
  await expectNobodyLeft(directory)
})

it('leaves no app behind when it is killed itself, with whatever that app started', async () => {
  const { file, directory } = app('', {
    before: `import { writeFileSync } from 'node:fs'
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e8)'], { stdio: 'ignore' })
writeFileSync('up', '')`,
    // It stays until it is ended: it is never ready.
    listen: 'server.listen(0)',
  })
  const child = spawn(process.execPath, [entry, 'gauntlet', file], { cwd: directory, stdio: 'ignore' })
  await vi.waitUntil(() => existsSync(join(directory, 'up')), LONG_MS)
  child.kill('SIGKILL')
  await expectNobodyLeft(directory)
})

it('names what is wrong with a merchant file by line and column, and the nearest name', async () => {
  const { file } = app('')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('{baseUrl}', '{baseURL}').replace('ready:', 'redy:').replace('post:', 'pots:'),
  )
  const { code, errors } = await answer(['gauntlet', file])
  expect(code).toBe(2)
  expect(errors).toMatch(/merchant\.yaml:6:3: app\.redy: "redy" is not a setting here.*ready/)
  expect(errors).toMatch(/merchant\.yaml:8:10: acts\.pay\.pots: .*post/)
})
