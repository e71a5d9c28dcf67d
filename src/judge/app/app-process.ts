/** Runs an app under test in the merchant file's folder and in its own process group, and keeps its output. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'
import type { AppEnd } from './app-findings.ts'
import { askOnce, type OnceAnswered } from './ask-once.ts'
import { type Escaped, endEscaped, MARK } from './escaped.ts'
import { followingEnv } from './following.ts'
import { freePort, returnPort } from './free-port.ts'
import { type AppRequest, fill, type Merchant, type Placeholder } from './merchant-file.ts'
import { type PortTraffic, portTraffic } from './port-traffic.ts'
import { type ProcessActivity, ProcessWatch, processorMsOf } from './process-activity.ts'
import { endGroup, startGroup } from './process-group.ts'

/** In characters. */
const KEPT = 64_000
const TOLD_LINES = 15
const LOOK_EVERY_MS = 8
/** Real milliseconds to wait for the output to close. A child that left the process group can hold it open for ever. */
const CLOSES_WITHIN_MS = 1_000
/** Attempts to find a port, because another process can take one before the app binds it. */
const PORTS_TRIED = 3
const READY_ANSWER_MS = 5_000

/** The app never got ready, or ended by itself. The message contains the end of its output. */
export class AppFailed extends Error {
  readonly code: AppEnd
  constructor(code: AppFailed['code'], message: string, said: string) {
    const tail = said.trimEnd().split('\n').slice(-TOLD_LINES).join('\n')
    super(tail === '' ? `${message} It said nothing.` : `${message} The last that it said:\n${tail}`)
    this.code = code
  }
}

export interface Surroundings {
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
}

interface StartOptions {
  withinMs: number
  signal: AbortSignal
}

export class AppProcess {
  readonly #merchant: Merchant
  readonly #values: Partial<Record<Placeholder, string>>
  readonly #dir: string
  #child: ChildProcess
  #watch: ProcessWatch | undefined
  #closed: Promise<unknown> | undefined
  #said = ''
  #errors = ''
  #ended: string | undefined
  #stopped: Promise<void> | undefined
  /** Processes that had left the app's group. Set by `stop`, which has killed them. */
  escaped: readonly Escaped[] = []

  private constructor(merchant: Merchant, values: Partial<Record<Placeholder, string>>, dir: string) {
    this.#merchant = merchant
    this.#values = values
    this.#dir = dir
    this.#child = this.#spawn()
  }

  #spawn(): ChildProcess {
    const { command, folder, env, follows } = this.#merchant
    const following = follows && followingEnv(this.#values.baseUrl ?? '')
    const child = startGroup(fill(command, this.#values), {
      cwd: folder,
      env: { ...process.env, ...fill(env, this.#values), ...following, [MARK]: this.#dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#said = (this.#said + text).slice(-KEPT)
        if (stream === child.stderr) this.#errors = (this.#errors + text).slice(-KEPT)
      })
    this.#watch?.close()
    this.#watch = child.pid === undefined ? undefined : new ProcessWatch(child.pid)
    this.#closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    child.on('error', (error) => {
      this.#ended = `could not be started: ${error.message}`
    })
    child.on('exit', (code, signal) => {
      this.#ended = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
    })
    return child
  }

  static async start(merchant: Merchant, around: Surroundings, options: StartOptions): Promise<AppProcess> {
    for (let tried = 1; ; tried++) {
      try {
        return await AppProcess.#startOnce(merchant, around, options)
      } catch (error) {
        if (!(error instanceof AppFailed) || error.code !== 'port_taken' || tried === PORTS_TRIED) throw error
      }
    }
  }

  static async #startOnce(merchant: Merchant, around: Surroundings, options: StartOptions): Promise<AppProcess> {
    const port = await freePort()
    const dir = mkdtempSync(join(tmpdir(), 'mfano-app-'))
    const { baseUrl, credentials } = around
    const app = new AppProcess(merchant, { port: String(port), dir, baseUrl, ...credentials }, dir)
    try {
      await app.#ready(options)
      return app
    } catch (error) {
      await app.stop()
      throw error
    }
  }

  /** Starts the app again after a crash, in the same folder and on the same port. Throws like `start`. */
  async restart(options: StartOptions): Promise<void> {
    // Something that it had asked for may have ended it once more when it was dead already: the one after it still lives.
    this.crash()
    await this.#dead()
    // The shell that was started is gone before what it started has let go of its port.
    await Promise.race([this.#closed, realPause(CLOSES_WITHIN_MS)])
    this.#ended = undefined
    this.#child = this.#spawn()
    await this.#ready(options)
  }

  async #ready({ withinMs, signal }: StartOptions): Promise<void> {
    const request = this.#merchant.ready
    const untilMs = wallNowMs() + withinMs
    const at = `${request.method} ${this.url}${request.path}`
    let last = 'nobody answered'
    for (;;) {
      signal.throwIfAborted()
      this.#alive(`before it answered ${at}`)
      const answer = await this.ask(request, {}, AbortSignal.any([signal, AbortSignal.timeout(READY_ANSWER_MS)])).catch(
        () => undefined,
      )
      // Who answers while the app has just ended is somebody else.
      this.#alive(`before it answered ${at}`)
      if (answer?.status === 200) return
      if (answer) last = `it answered ${answer.status}`
      if (wallNowMs() >= untilMs)
        throw new AppFailed(
          'not_ready',
          `The app did not get ready within ${withinMs / 1000} s: expected 200 from ${at}, but ${last}. Does it listen on the port that it is given ({port})?`,
          this.#said,
        )
      await realPause(LOOK_EVERY_MS)
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.#values.port}`
  }

  get activity(): ProcessActivity | undefined {
    return this.#watch?.look()
  }

  get processorMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processorMsOf(this.#child.pid)
  }

  get traffic(): PortTraffic | undefined {
    return portTraffic(Number(this.#values.port))
  }

  check(): void {
    this.#alive('by itself')
  }

  #alive(when: string): void {
    if (this.#ended === undefined) return
    const taken = /EADDRINUSE|address already in use/i.test(this.#said)
    const why = taken ? ` Its port is taken: does it listen on the one that it is given (${this.#values.port})?` : ''
    throw new AppFailed(taken ? 'port_taken' : 'app_died', `The app ${this.#ended} ${when}.${why}`, this.#said)
  }

  async ask(
    { method, path, body }: AppRequest,
    values: Partial<Record<Placeholder, string>>,
    signal: AbortSignal,
    sent?: () => void,
  ): Promise<OnceAnswered> {
    const all = { ...this.#values, ...values }
    const text = body === undefined ? undefined : JSON.stringify(fill(body, all))
    return askOnce(this.url + fill(path, all), {
      method,
      signal,
      ...(text !== undefined && { body: text }),
      ...(sent && { sent }),
    })
  }

  get errors(): string | undefined {
    const tail = this.#errors.trimEnd().split('\n').slice(-TOLD_LINES).join('\n')
    return tail === '' ? undefined : tail
  }

  get said(): string {
    return this.#said
  }

  /** Kills all processes without notice, like a power failure. The folder remains for a restart. */
  crash(): void {
    endGroup(this.#child.pid)
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.crash()
    await this.#dead()
    this.escaped = endEscaped(this.#dir, this.#child.pid)
    // What is left of the app may still hold them open, and a process that is read from does not end.
    for (const stream of this.#child.stdio) stream?.destroy()
    this.#watch?.close()
    returnPort(Number(this.#values.port))
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5 })
  }

  async #dead(): Promise<void> {
    if (this.#ended !== undefined) return
    await new Promise((resolve) => this.#child.once('exit', resolve).once('error', resolve))
  }
}
