/** The connection of a participant to the clock of its world, by Node's own client: `fetch` has timers of its own. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { asJson } from '../../core/model/json.ts'
import { isRecord } from '../../core/model/must.ts'
import { afterRealMs } from '../../hosts/node/wall.ts'
import { asOwnWork } from './own-work.ts'

export interface WorldAddress {
  baseUrl: string
  adminToken: string | undefined
}

/** Real milliseconds for an answer that comes at once where somebody is there. */
const ANSWERS_WITHIN_MS = 10_000

export const CLOCK_PATH = '/_mfano/clock'

class LineError extends Error {
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

export interface GrantMessage {
  grant: number
  now: string
  rate: number
  before: string | null
}

export type LineMessage = { event: 'look' } | { event: 'grant'; data: GrantMessage }

export class WorldLine {
  readonly #address: WorldAddress
  readonly #agent: http.Agent
  readonly #request: typeof http.request
  #stream: IncomingMessage | undefined

  constructor(address: WorldAddress) {
    this.#address = address
    const { Agent, request } = address.baseUrl.startsWith('https:') ? https : http
    this.#request = request
    this.#agent = new Agent({ keepAlive: true })
  }

  /**
   * Sends a request below `/_mfano/clock`, and gives the JSON of the answer. Throws a `LineError`.
   * @param withinMs real time in which the answer must come
   */
  async send(
    method: string,
    path: string,
    body?: object,
    withinMs = ANSWERS_WITHIN_MS,
  ): Promise<Record<string, unknown>> {
    const response = await this.#answer(method, path, { body, withinMs })
    const text = await textOf(response)
    const told = asJson(text === '' ? '{}' : text)
    if (!isRecord(told)) throw new LineError(`the answer is not mfano's: ${JSON.stringify(text.slice(0, 60))}`)
    if ((response.statusCode ?? 0) < 300) return told
    const { details } = isRecord(told['error']) ? told['error'] : {}
    throw new LineError(typeof details === 'string' ? details : text.slice(0, 200), response.statusCode)
  }

  /**
   * Opens the stream; `heard` is told of each event, `ended` once when it is over, with what came in place of a grant if
   * that is why.
   */
  async listen(path: string, heard: (event: LineMessage) => void, ended: (garbage?: string) => void): Promise<void> {
    const response = await this.#answer('GET', path, { withinMs: 0, beginsWithinMs: ANSWERS_WITHIN_MS })
    this.#stream = response
    if (response.statusCode !== 200) throw new LineError(await textOf(response), response.statusCode)
    let rest = ''
    let garbage: string | undefined
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      const events = (rest + part).split('\n\n')
      rest = events.pop() ?? ''
      for (const text of events) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(text) ?? []
        if (event === 'look') heard({ event })
        else if (event === 'grant') {
          const told = asJson(data)
          if (isGrant(told)) heard({ event, data: told })
          else {
            garbage = data.slice(0, 60)
            response.destroy()
          }
        }
      }
    })
    response.once('close', () => ended(garbage))
  }

  hold(holds: boolean): void {
    const waiting = Object.values(this.#agent.sockets).flat()
    for (const socket of waiting)
      if (holds) socket?.ref()
      else socket?.unref()
  }

  close(): void {
    this.#stream?.destroy()
    this.#agent.destroy()
  }

  #answer(
    method: string,
    path: string,
    { body, withinMs, beginsWithinMs = 0 }: { body?: object | undefined; withinMs: number; beginsWithinMs?: number },
  ): Promise<IncomingMessage> {
    const { baseUrl, adminToken } = this.#address
    const text = body && JSON.stringify(body)
    return asOwnWork(
      () =>
        new Promise((resolve, reject) => {
          const request = this.#request(`${baseUrl}${CLOCK_PATH}${path}`, {
            method,
            agent: this.#agent,
            ...(withinMs > 0 && { timeout: withinMs }),
            headers: {
              ...(adminToken && { authorization: `Bearer ${adminToken}` }),
              ...(text !== undefined && {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(text),
              }),
            },
          })
          const giveUp = (ms: number) => request.destroy(new Error(`no answer within ${ms / 1000} s`))
          request.once('response', resolve)
          if (beginsWithinMs > 0)
            request.once(
              'response',
              afterRealMs(beginsWithinMs, () => giveUp(beginsWithinMs)),
            )
          request.once('timeout', () => giveUp(withinMs))
          request.on('error', (error: NodeJS.ErrnoException) => reject(new LineError(error.code ?? error.message)))
          request.end(text)
        }),
    )
  }
}

/** Whatever answers at the address may be no mfano, and must not make the app throw. */
function isGrant(told: unknown): told is GrantMessage {
  if (!isRecord(told)) return false
  const { grant, now, rate, before } = told
  const isInstant = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))
  return (
    typeof grant === 'number' && typeof rate === 'number' && isInstant(now) && (before === null || isInstant(before))
  )
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response) text += part
  return text
}

// Requests to the world that are answered before anything else in this process goes on: a thread sends them.

/** Real milliseconds that the answer may take; then this process goes on without it. */
const PATIENCE_MS = 10_000

/** In JavaScript, as a thread begins with it: it is no module of its own in a package. */
const THREAD = `
const { workerData } = require('node:worker_threads')
const { port, done, base, headers } = workerData
const http = require(base.startsWith('https:') ? 'node:https' : 'node:http')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const end = () => { Atomics.store(done, 0, 1); Atomics.notify(done, 0) }
port.on('message', ({ path, text }) => {
  const request = http.request(base + path, { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(text) } })
  request.on('response', (response) => response.resume().on('end', end)).on('error', end).end(text)
})
`

export class SyncLine {
  readonly #address: WorldAddress
  readonly #done = new Int32Array(new SharedArrayBuffer(4))
  #port: MessagePort | undefined

  constructor(address: WorldAddress) {
    this.#address = address
  }

  post(path: string, body: object): void {
    asOwnWork(() => {
      this.#port ??= this.#begin()
      Atomics.store(this.#done, 0, 0)
      this.#port.postMessage({ path, text: JSON.stringify(body) })
      Atomics.wait(this.#done, 0, 0, PATIENCE_MS)
    })
  }

  #begin(): MessagePort {
    const { baseUrl, adminToken } = this.#address
    const { port1, port2 } = new MessageChannel()
    const headers = {
      'content-type': 'application/json',
      ...(adminToken && { authorization: `Bearer ${adminToken}` }),
    }
    const workerData = { port: port2, done: this.#done, base: baseUrl, headers }
    // It is none of the app's: it takes no part in any clock.
    const worker = new Worker(THREAD, { eval: true, execArgv: [], env: {}, workerData, transferList: [port2] })
    worker.unref()
    port1.unref()
    return port1
  }
}
