import { hostname } from 'node:os'
import { type Control, type ControlBody, sentEvents } from '../../client/control.ts'
import type { PostResult, Send } from '../../core/host.ts'
import { errorOf, must } from '../../core/model/must.ts'
import type { RemoteEnd } from '../../core/model/remote.ts'
import { callbackSender } from '../../hosts/node/callback-sender.ts'
import { afterRealMs, realPause } from '../../hosts/node/wall.ts'
import { CLEAN, CommandFailed, jsonFlag, type TopCommand, UsageError, urlFlag, worldFlag } from './command.ts'
import type { Output } from './output.ts'
import { serverOf } from './server.ts'
import { durationValue } from './typed-values.ts'

export const listenCommand: TopCommand = {
  about:
    "The world sends its callbacks over this connection instead of to callbackUrl. The body is unchanged, and your app's answer counts as the attempt. Stop it with Ctrl-C.",
  flags: [
    {
      name: 'forward-to',
      value: 'url',
      help: "Post callbacks here. Without a path, callbackUrl's path is kept.",
      expected: 'an http or https address, such as http://localhost:3000/hooks',
      holds: isHttp,
    },
    {
      name: 'callback-url',
      value: 'prefix',
      help: 'Only callbackUrls that begin so. Default: all but inboxes.',
    },
    { name: 'name', value: 'text', help: 'Name of this machine in attempts. Default: its host name.' },
    {
      name: 'lease',
      value: 'duration',
      help: 'How long callbacks wait after a lost connection, at most 10m.',
      byDefault: '1m',
      ...durationValue,
    },
    urlFlag,
    worldFlag,
    jsonFlag,
  ],
  examples: [
    'mfano listen --forward-to http://localhost:3000/hooks',
    'mfano listen --url https://mfano.example.com --world shop --forward-to http://localhost:3000',
    'mfano listen --forward-to http://localhost:3000 --callback-url https://shop.example/ --name asha --lease 5m',
  ],
  run: async (given, output) => {
    const forwardTo = given.get('forward-to')
    if (forwardTo === undefined)
      throw new UsageError(
        '--forward-to is missing. Name an address of this machine: --forward-to http://localhost:3000/hooks',
      )
    const server = serverOf(given)
    const interruption = new AbortController()
    const stop = () => interruption.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    const { send, close } = callbackSender()
    try {
      const end = await relay({
        control: server.control,
        patient: server.within('for-ever').control,
        joining: {
          name: given.get('name') ?? hostname(),
          forwardTo,
          callbackUrl: given.get('callback-url'),
          lease: must(given.get('lease')),
        },
        forwardTo: new URL(forwardTo),
        send,
        signal: interruption.signal,
        told: (news) =>
          output.out(given.has('json') ? `${JSON.stringify(news)}\n` : newsLine(news, server.baseUrl, output)),
      })
      if (end === 'replaced')
        throw new CommandFailed(
          'Another mfano listen of the same name took over.',
          'Give each a name of its own: --name.',
          { code: 'REPLACED' },
        )
      return CLEAN
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      close()
    }
  },
}

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

function newsLine(news: RelayNews, baseUrl: string, { paint }: Output): string {
  switch (news.type) {
    case 'joined':
      return `Callbacks of ${baseUrl} come here, to ${news.name}. Press Ctrl-C to stop.\n`
    case 'reconnecting':
      return `${paint('yellow', 'Reconnecting')}: ${news.why}\n`
    case 'forwarded': {
      const { status, failure, tookMs, sentTo } = news
      const isGood = status !== undefined && status < 300
      return `${paint(isGood ? 'green' : 'red', String(status ?? failure))}  ${tookMs} ms  POST ${sentTo}\n`
    }
  }
}

/** Real milliseconds without data after which the stream counts as dead, because a heartbeat comes every 15 seconds. */
const SILENT_MS = 40_000
const RETRY_MS = 1_000
const FINAL = ['ADMIN_TOKEN_NEEDED', 'WORLD_NOT_FOUND', 'TOO_MANY_FORWARDERS', 'REQ_INVALID_FIELD']

export interface RelayOptions {
  control: Control
  /** Without a timeout, because a stream stays open. */
  patient: Control
  joining: ControlBody<'POST', '/forwarders'>
  forwardTo: URL
  send: Send
  signal: AbortSignal
  told(news: RelayNews): void
}

export type RelayNews =
  | { type: 'joined'; name: string; lease: string }
  | { type: 'forwarded'; callbackUrl: string; sentTo: string; status?: number; failure?: string; tookMs: number }
  | { type: 'reconnecting'; why: string }

interface StreamedDelivery {
  delivery: string
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
}

type Outcome = ControlBody<'POST', '/forwarders/:id/answers'>

/** Returns `forwardTo`, with the callback's own path if it has none and the callback's query if it has none. */
export function forwardedTo(forwardTo: URL, callbackUrl: string): URL {
  const own = new URL(callbackUrl)
  const target = new URL(forwardTo)
  if (target.pathname === '/') target.pathname = own.pathname
  if (target.search === '') target.search = own.search
  return target
}

export async function relay(options: RelayOptions): Promise<RemoteEnd> {
  const running = new Relay(options)
  const { signal, told } = options
  let joined = false
  while (!signal.aborted) {
    try {
      await running.join()
      joined = true
      const end = await running.read()
      if (end === 'replaced') return end
      if (!signal.aborted) told({ type: 'reconnecting', why: end ?? 'the connection was lost' })
    } catch (error) {
      if (signal.aborted) break
      if (!(error instanceof CommandFailed) || !joined || FINAL.includes(error.code)) throw error
      const { code } = error
      if (code === 'FORWARDER_REPLACED') return 'replaced'
      if (code === 'NOT_FOUND') running.forget()
      told({ type: 'reconnecting', why: error.message })
    }
    if (!signal.aborted) await realPause(RETRY_MS)
  }
  await running.leave()
  return 'left'
}

class Relay {
  readonly #options: RelayOptions
  #id: string | undefined
  readonly #open = new Map<string, Outcome | undefined>()

  constructor(options: RelayOptions) {
    this.#options = options
  }

  async join(): Promise<void> {
    if (this.#id !== undefined) return
    const { control, joining, told } = this.#options
    const { id, name, lease } = await control('POST', '/forwarders', { body: joining })
    this.#id = id
    told({ type: 'joined', name, lease })
  }

  forget(): void {
    this.#id = undefined
  }

  async leave(): Promise<void> {
    if (this.#id === undefined) return
    await this.#options.control('DELETE', '/forwarders/:id', { path: { id: this.#id } }).catch(() => {})
  }

  async read(): Promise<RemoteEnd | undefined> {
    const { patient, signal } = this.#options
    const dead = new AbortController()
    const until = AbortSignal.any([signal, dead.signal])
    const path = { id: must(this.#id) }
    const response = await patient.open('GET', '/forwarders/:id/deliveries', { path, signal: until })
    let cancel = () => {}
    const heard = () => {
      cancel()
      cancel = afterRealMs(SILENT_MS, () => dead.abort())
    }
    try {
      for await (const { event, data } of sentEvents(must(response.body), heard)) {
        if (event === 'delivery') void this.#deliver(delivered(data))
        else if (event === 'end') return this.#ended(endIn(data))
      }
    } catch (error) {
      if (signal.aborted) throw error
    } finally {
      cancel()
    }
    return undefined
  }

  #ended(why: RemoteEnd): RemoteEnd {
    this.forget()
    // The next world of this name may have deliveries of the same ids.
    if (why === 'discarded') this.#open.clear()
    return why
  }

  /** Posts each delivery once, even if the world sends it again. */
  async #deliver(streamed: StreamedDelivery): Promise<void> {
    const { delivery } = streamed
    let outcome = this.#open.get(delivery)
    if (!outcome) {
      if (this.#open.has(delivery)) return
      this.#open.set(delivery, undefined)
      outcome = await this.#post(streamed)
      // The world was reset meanwhile.
      if (!this.#open.has(delivery)) return
      this.#open.set(delivery, outcome)
    }
    await this.#answer(outcome)
  }

  async #post({ delivery, url, headers, body, timeoutMs }: StreamedDelivery): Promise<Outcome> {
    const { forwardTo, send, signal, told } = this.#options
    const to = forwardedTo(forwardTo, url)
    const result = await send({ url, to, headers, body, timeoutMs, signal })
    const tookMs = Math.round(result.tookMs)
    const news =
      'status' in result ? { status: result.status } : { failure: `${result.failure.code}: ${result.failure.message}` }
    if (!signal.aborted) told({ type: 'forwarded', callbackUrl: url, sentTo: to.href, tookMs, ...news })
    return { delivery, tookMs: result.tookMs, sentTo: to.href, ...outcomeOf(result) }
  }

  /**
   * Retries until the world accepts the outcome or no longer waits for it. A world that forgot this forwarder sends the
   * delivery again.
   */
  async #answer(outcome: Outcome): Promise<void> {
    const { control, signal } = this.#options
    while (!signal.aborted && this.#id !== undefined) {
      try {
        await control('POST', '/forwarders/:id/answers', { path: { id: this.#id }, body: outcome })
        this.#open.delete(outcome.delivery)
        return
      } catch (error) {
        const { code } = errorOf(error)
        if (code === 'DELIVERY_OVER') this.#open.delete(outcome.delivery)
        if (code === 'DELIVERY_OVER' || code === 'NOT_FOUND') return
        await realPause(RETRY_MS)
      }
    }
  }
}

function outcomeOf(result: PostResult): Partial<Outcome> {
  if ('failure' in result) return { failure: result.failure }
  const headers = Object.entries(result.headers ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { status: result.status, body: result.body, headers: Object.fromEntries(headers) }
}

function delivered(data: string): StreamedDelivery {
  return JSON.parse(data)
}

function endIn(data: string): RemoteEnd {
  return JSON.parse(data).why
}
