/** Requests to the world that are answered before anything else in this process goes on: a thread sends them. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { asOwnWork } from './own-work.ts'
import type { WorldAddress } from './world-line.ts'

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

  /** Sends a request, and comes back when it is answered, or was not for too long. `path`: below the base URL. */
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
