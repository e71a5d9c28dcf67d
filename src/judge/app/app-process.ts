import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { must } from '../../core/model/must.ts'
import { packageRoot } from '../../hosts/node/package.ts'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'
import { BOOKS_MAX_BYTES } from '../../inspect/reconcile.ts'
import type { AppEnd } from './app-findings.ts'
import { AppPart, lastLines, lastSaid, type PartCommand, type ProcessOutput, runToEnd } from './app-part.ts'
import { followingEnv, followingOption } from './following.ts'
import { freePort, returnPort } from './free-port.ts'
import { type AppRequest, fill, type Merchant, type MerchantProcess, type Placeholder } from './merchant-file.ts'
import { type OwnFolder, ownFolder } from './own-folder.ts'
import { endEscaped, type ProcessActivity, portTraffic } from './system.ts'

const LOOK_EVERY_MS = 8
/** Attempts to find ports, because another process can take one before the app binds it. */
const PORTS_TRIED = 3
const READY_ANSWER_MS = 5_000
/** A process without a `ready` request can be used once it was seen asleep so often in a row. */
const ASLEEP_LOOKS = 3
/** Real milliseconds that such a process gets where the system does not say what it does. */
const BLIND_START_MS = 500
/** Options that a Node app is started with besides its own. In quotes, because the folder's name may have spaces. */
const SHORT_LIVED = `--require ${JSON.stringify(join(packageRoot(), 'bin/short-lived.cjs'))}`

/** The app never got ready, or ended by itself. The message contains the end of its output. */
export class AppFailed extends Error {
  readonly code: AppEnd

  constructor(code: AppEnd, message: string, said: string) {
    super(`${message} ${lastSaid(said)}`)
    this.code = code
  }
}

export interface Surroundings {
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  env: Readonly<Record<string, string>>
}

interface StartOptions {
  withinMs: number
  signal: AbortSignal
}

type Values = Partial<Record<Placeholder, string>>

interface Running {
  file: MerchantProcess
  port: number
  command: PartCommand
  part: AppPart
}

export class AppProcess {
  readonly ports: readonly number[]
  readonly #merchant: Merchant
  readonly #around: Surroundings['env']
  readonly #values: Values
  readonly #folder: OwnFolder
  readonly #output: ProcessOutput = { said: '', errors: '' }
  readonly #running: Running[] = []
  #stopped: Promise<void> | undefined

  private constructor(merchant: Merchant, { baseUrl, credentials, env }: Surroundings, ports: readonly number[]) {
    this.#merchant = merchant
    this.#around = env
    this.ports = ports
    this.#folder = ownFolder('app')
    this.#values = { port: String(ports[0]), dir: this.#folder.path, baseUrl, ...credentials }
  }

  static start(merchant: Merchant, around: Surroundings, options: StartOptions): Promise<AppProcess> {
    return whilePortTaken(async () => {
      const ports: number[] = []
      for (const _ of merchant.processes) ports.push(await freePort())
      const app = new AppProcess(merchant, around, ports)
      try {
        for (const [i, file] of merchant.processes.entries()) await app.#begin(file, ports[i] ?? 0, options)
        return app
      } catch (error) {
        await app.stop()
        throw error
      }
    })
  }

  async #begin(file: MerchantProcess, port: number, options: StartOptions): Promise<void> {
    const { folder } = this.#merchant
    const values = { ...this.#values, ownPort: String(port) }
    const env = this.#env(file.env, values)
    const command = { command: fill(file.command, values), folder, env, dir: this.#folder.path }
    const running = { file, port, command, part: new AppPart(command, this.#output) }
    this.#running.push(running)
    await this.#ready(running, options)
  }

  #env(own: Record<string, string>, values: Values): NodeJS.ProcessEnv {
    const { env, follows } = this.#merchant
    const all = {
      ...process.env,
      ...this.#around,
      ...fill({ ...env, ...own }, values),
      ...(follows && followingEnv(values.baseUrl ?? '')),
    }
    const options = [all['NODE_OPTIONS'], SHORT_LIVED, follows && followingOption()]
    return { ...all, NODE_OPTIONS: options.filter(Boolean).join(' ') }
  }

  async restart(options: StartOptions): Promise<void> {
    if (!this.#running.some(({ part }) => part.isKilled)) this.crash()
    // On a busy machine what was killed may keep its port for a while.
    for (const one of this.#running.filter(({ part }) => part.isKilled))
      await whilePortTaken(async () => {
        await one.part.stopWhenSilent()
        one.part = new AppPart(one.command, this.#output)
        await this.#ready(one, options)
      })
  }

  async #ready(one: Running, { withinMs, signal }: StartOptions): Promise<void> {
    const { ready } = one.file
    if (!ready && one !== this.#running[0]) return this.#settled(one, signal)
    const request = { ...(ready ?? { method: 'GET', path: '/' }), process: one.file.name }
    const untilMs = wallNowMs() + withinMs
    const at = `${request.method} ${urlOf(one)}${request.path}`
    let last = 'nobody answered'
    for (;;) {
      signal.throwIfAborted()
      this.#alive(one, `before it answered ${at}`)
      const limit = AbortSignal.any([signal, AbortSignal.timeout(READY_ANSWER_MS)])
      const answer = await this.ask(request, {}, limit).catch(() => undefined)
      // An answer while the app has just ended is somebody else's.
      this.#alive(one, `before it answered ${at}`)
      if (answer && (!ready || answer.status === 200)) return
      if (answer) last = `it answered ${answer.status}`
      if (wallNowMs() >= untilMs) {
        const own = one === this.#running[0] ? '{port}' : '{ownPort}'
        throw new AppFailed(
          'not_ready',
          `${this.#nameOf(one)} did not get ready within ${withinMs / 1000} s: expected ${ready ? '200' : 'an answer'} from ${at}, but ${last}. Does it listen on the port that it is given (${own})?`,
          this.said,
        )
      }
      await realPause(LOOK_EVERY_MS)
    }
  }

  async #settled(one: Running, signal: AbortSignal): Promise<void> {
    let seen = ''
    for (let looks = 0; looks < ASLEEP_LOOKS; ) {
      await realPause(LOOK_EVERY_MS)
      signal.throwIfAborted()
      this.#alive(one, 'as it started')
      const activity = one.part.activity
      if (!activity) return realPause(BLIND_START_MS)
      looks = activity.asleep && activity.switches === seen ? looks + 1 : 0
      seen = activity.switches
    }
  }

  get activity(): ProcessActivity | undefined {
    const all = { asleep: true, switches: '' }
    for (const { part } of this.#running) {
      const one = part.activity
      if (!one?.asleep) return one
      all.switches += `${one.switches}, `
    }
    return all
  }

  get processorMs(): number | undefined {
    const all = this.#running.map(({ part }) => part.processorMs)
    return all.reduce((sum, ms) => (sum === undefined || ms === undefined ? undefined : sum + ms), 0)
  }

  get traffic(): ReturnType<typeof portTraffic> {
    return portTraffic(...this.ports)
  }

  check(): void {
    for (const one of this.#running) if (!one.part.isKilled) this.#alive(one, 'by itself')
  }

  #alive(one: Running, when: string): void {
    const { ended } = one.part
    if (ended === undefined) return
    const taken = /EADDRINUSE|address already in use/i.test(this.said)
    const why = taken ? ` Its port is taken: does it listen on the one that it is given (${one.port})?` : ''
    throw new AppFailed(taken ? 'port_taken' : 'app_died', `${this.#nameOf(one)} ${ended} ${when}.${why}`, this.said)
  }

  #nameOf({ file }: Running): string {
    return this.#merchant.processes.length === 1 ? 'The app' : `The process ${file.name} of the app`
  }

  async ask(request: AppRequest, values: Values, signal: AbortSignal, sent?: () => void): Promise<OnceAnswered> {
    const one = must(this.#running.find(({ file }) => file.name === request.process) ?? this.#running[0])
    const all = { ...this.#values, ownPort: String(one.port), ...values }
    const body = request.body === undefined ? undefined : JSON.stringify(fill(request.body, all))
    return askOnce(urlOf(one) + fill(request.path, all), { method: request.method, signal }, body, sent)
  }

  async reset(how: NonNullable<Merchant['reset']>, { withinMs, signal }: StartOptions): Promise<boolean> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    if ('command' in how) {
      const { folder } = this.#merchant
      const command = { command: fill(how.command, this.#values), folder, env: this.#env({}, this.#values) }
      return (await runToEnd({ ...command, dir: this.#folder.path }, this.#output, limit)) === 0
    }
    const answer = await this.ask(how, {}, limit).catch(() => undefined)
    return answer !== undefined && answer.status < 300
  }

  get errors(): string | undefined {
    return lastLines(this.#output.errors) || undefined
  }

  get said(): string {
    return this.#output.said
  }

  /** Kills a process, or all of them, without notice, like a power failure. The folder remains for a restart. */
  crash(name?: string): void {
    for (const { file, part } of this.#running) if (name === undefined || file.name === name) part.crash()
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.crash()
    for (const { part } of this.#running) await part.stop()
    endEscaped(this.#folder.path)
    for (const port of this.ports) returnPort(port)
    this.#folder.remove()
  }
}

function urlOf({ port }: Running): string {
  return `http://127.0.0.1:${port}`
}

async function whilePortTaken<T>(start: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof AppFailed) || error.code !== 'port_taken' || tried === PORTS_TRIED) throw error
    }
  }
}

// Sends a request on its own connection. A kept-alive connection would be slower and unsafe: a server that writes
// head and body separately waits up to 40 ms for the delayed acknowledgement, and after a crash the connection is
// dead.

export type OnceAnswered = Awaited<ReturnType<typeof askOnce>>

/** `sent` is called when the whole request is with the operating system. An answer without end is given up at 32 MB. */
async function askOnce(url: string, how: { method: string; signal: AbortSignal }, body?: string, sent?: () => void) {
  const headers =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const asked = request(url, { ...how, headers, agent: false })
  if (sent) asked.once('finish', sent)
  // Once there is an answer, an error is told to who reads it.
  asked.on('error', () => {}).end(body)
  const answer: IncomingMessage = must((await once(asked, 'response'))[0])
  const { statusCode: status = 0, headers: received } = answer
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > BOOKS_MAX_BYTES) throw new Error(`answered with more than ${BOOKS_MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return { status, body: Buffer.concat(chunks), type: received['content-type'] ?? '' }
}
