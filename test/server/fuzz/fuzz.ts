/** Sends what nobody would write, and judges what comes back. */

import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { atOnce } from '../../support/at-once.ts'
import { Receiver, START } from '../../support/harness.ts'
import { startOn } from '../../support/restart.ts'
import { type Dice, dice, type Known, type Shaped, shape } from './shape.ts'

const AT_ONCE = 48
const MOST_WORLDS = 12
/** Requests between two looks at what there is. */
const PART = 1000

type Server = Awaited<ReturnType<typeof startOn>>
interface Told {
  status: number
  text: string
  /** Whether a rule of a scenario, or an inbox, was asked for this answer. */
  asked: boolean
}

/** Sends one request; its answer, or the error that ended the connection. */
function send(agent: Agent, baseUrl: string, { method, path, headers, body }: Shaped): Promise<Told | Error> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    // Said also for methods that seldom have a body: otherwise its bytes would be taken for the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = []
      const done = () => {
        const asked = response.headers['mfano-rule'] !== undefined || /\/_mfano\/inbox\//.test(path)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), asked })
      }
      // A stream of events goes on for as long as somebody reads.
      if (response.headers['content-type'] === 'text/event-stream') {
        done()
        response.destroy()
        return
      }
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', done)
      response.on('error', resolve)
    })
    sent.on('error', resolve)
    sent.end(body)
  })
}

const BROKEN = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET /\r\n\r\n',
  'POST /api/v1/get-token HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1/get-token HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'POST /_mfano/reset HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  'GET http://evil.example/_mfano/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  'CONNECT evil.example:80 HTTP/1.1\r\nhost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  'GET /w/ HTTP/1.1\r\nhost: \xff\r\nconnection: close\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(3000)}\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\r\n\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
]

/** Sends bytes that are hardly a request, and hangs up behind them. Resolves when the other side has, too. */
function sendBytes(baseUrl: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes, 'latin1'))
    socket.on('data', () => {})
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

async function knownOf(server: Server, receiver: Receiver): Promise<Known> {
  const { operations } = (await (await fetch(`${server.baseUrl}/_mfano/`)).json()) as { operations: string[] }
  const reset = `${server.baseUrl}/_mfano/reset`
  return {
    control: operations.filter((one) => one.includes('/_mfano/')),
    tokens: {},
    ids: ['1'],
    worlds: ['default'],
    receivers: [receiver.url(), receiver.url('/other'), `${server.baseUrl}/_mfano/inbox/told`, reset, 'x', ''],
  }
}

/** Learns what there is by now, and keeps it from growing without end. */
async function lookAround(server: Server, known: Known): Promise<void> {
  const worlds = server.worlds.ids()
  for (const id of worlds.slice(MOST_WORLDS)) if (id !== 'default') server.worlds.remove(id)
  for (const { world, name } of server.worlds.snapshots.list()) server.worlds.snapshots.remove(world, name)
  if (!server.worlds.has('steady'))
    server.worlds.create({ id: 'steady', clock: { mode: 'frozen', startUs: Date.parse(`${START}Z`) * 1000 } })
  known.worlds = server.worlds.ids()
  const { core } = server.worlds.get('steady')
  const payments = core.store.payments.page({}, { limit: 10, newestFirst: true }).map(({ uuid }) => uuid)
  known.ids = [...payments, server.credentials.companyId, '1', '2']
  await server.world('steady').advance('10m')
  for (const id of server.worlds.ids()) {
    // Some are as scenarios of before left them, which may turn away every login.
    const answer = await fetch(`${server.baseUrl}/w/${id}/api/v1/get-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(server.credentials),
    }).catch(() => undefined)
    const { data } = (await answer?.json().catch(() => undefined)) ?? {}
    if (data) known.tokens[id] = data.access_token
  }
}

/** What was found, and how often which status was answered. */
interface Notes {
  found: Map<string, number>
  statuses: Map<string, number>
}

/** What an answer says that was asked for: by a rule or the rails of a scenario, or by a reset or removal meanwhile. */
const ASKED_FOR = /this world was (?:just )?reset|refused by the scenario's rule|under maintenance until/

/** Whether an answer is none of a failure. `faulty`: response faults were in force, which end connections, too. */
function isRight(told: Told | Error, faulty: boolean): boolean {
  if (told instanceof Error) return faulty
  const isCutShort = faulty && told.text === ''
  return told.status < 500 || told.asked || isCutShort || ASKED_FOR.test(told.text)
}

/** Whether the scenario of the world that a path names has response faults. */
function hasFaults(server: Server, { path }: Shaped): boolean {
  const id = /^\/w\/([^/?]+)/.exec(path)?.[1] ?? 'default'
  return server.worlds.has(id) && server.worlds.get(id).core.scenario.faults.length > 0
}

function described({ method, path, body }: Shaped, told: Told | Error): string {
  const answer = told instanceof Error ? told.message : `${told.status} ${told.text.slice(0, 300)}`
  return `${method} ${path.slice(0, 300)} ${String(body).slice(0, 300)}: ${answer}`
}

async function fuzz(server: Server, d: Dice, known: Known, count: number, { found, statuses }: Notes) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  onTestFinished(() => agent.destroy())
  const note = (what: string) => found.set(what, (found.get(what) ?? 0) + 1)
  let left = count
  const one = async () => {
    while (left-- > 0) {
      if (d.once(40)) {
        await sendBytes(server.baseUrl, d.pick(BROKEN))
        continue
      }
      const shaped = shape(d, known)
      const before = hasFaults(server, shaped)
      const told = await send(agent, server.baseUrl, shaped)
      const status = told instanceof Error ? 'ended' : `${told.status}`
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!isRight(told, before || hasFaults(server, shaped))) note(described(shaped, told))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

/** Whatever is sent, mfano answers, none of its answers is a failure of its own, and the books balance. */
export async function expectSurvives(requests: number, seed: number): Promise<void> {
  const server = await startOn(':memory:')
  const receiver = new Receiver()
  await receiver.start()
  onTestFinished(() => receiver.stop())
  const known = await knownOf(server, receiver)
  const d = dice(seed)
  const notes: Notes = { found: new Map(), statuses: new Map() }
  const balanced = () => server.worlds.ids().flatMap((id) => atOnce(server.worlds.get(id).core.store.ledger.auditing()))
  for (let sent = 0; sent < requests; sent += PART) {
    await lookAround(server, known)
    await fuzz(server, d, known, Math.min(PART, requests - sent), notes)
    expect(balanced()).toEqual([])
  }
  const answers = Object.fromEntries(notes.statuses)
  console.info(JSON.stringify({ requests: requests, seed, answers, callbacks: receiver.received.length }))
  expect(Object.fromEntries(notes.found)).toEqual({})
  expect((await fetch(`${server.baseUrl}/_mfano/health`)).status).toBe(200)
}
