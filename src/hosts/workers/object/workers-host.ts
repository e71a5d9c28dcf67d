import type { Host, Post, Send } from '../../../core/host.ts'
import { type Answered, callbackTarget, type Failure, type TryStage } from '../../../core/model/callback.ts'
import { errorOf } from '../../../core/model/must.ts'
import { alarmRealMs, wallNowMs } from '../../node/wall.ts'

export interface Outside {
  ask: Ask
  own(): string | undefined
  callbackHost: string | undefined
}

/** Timers end with the object; the object's alarm (`world-object.ts`) does not. */
export function workersHost({ ask, own, callbackHost }: Outside): Host {
  const send = sendBy({ ask, own, callbackHost })
  return {
    wallUs: () => wallNowMs() * 1000,
    defer: (work) => {
      alarmRealMs(0, work)
    },
    alarm: alarmRealMs,
    connections: () => ({ send, close: () => {} }),
    ownBaseUrl: async () => own(),
  }
}

const BODY_MAX = 64 * 1024

const CODES: readonly [RegExp, Failure['code']][] = [
  [/connection refused/i, 'ECONNREFUSED'],
  [/network connection lost|disconnected|prematurely closed/i, 'ECONNRESET'],
  [/dns|could not resolve|name not known/i, 'ENOTFOUND'],
]

type Ask = (address: URL, init: RequestInit) => Promise<Response>

function sendBy({ ask, own, callbackHost }: Outside): Send {
  return async (post) => {
    const origin = own()
    const place = { container: false, callbackHost, ...(origin !== undefined && { own: new URL(origin) }) }
    const to = post.to ? { target: post.to, moved: true } : callbackTarget(post.url, place)
    if (!to) return { failure: { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }, tookMs: 0, place }
    const startedMs = wallNowMs()
    const result = await postOnce(ask, to.target, post)
    return { ...result, tookMs: wallNowMs() - startedMs, place, ...(to.moved && { sentTo: to.target }) }
  }
}

async function postOnce(
  ask: Ask,
  target: URL,
  { headers, body, timeoutMs, signal }: Post,
): Promise<Answered | { failure: Failure }> {
  const giving = new AbortController()
  const stop = () => giving.abort(new DOMException('the world is closed', 'AbortError'))
  const cancel = alarmRealMs(timeoutMs, () => giving.abort(new DOMException('no answer', 'TimeoutError')))
  signal.addEventListener('abort', stop)
  let stage: TryStage = 'answer'
  try {
    const answer = await ask(target, { method: 'POST', headers, body, redirect: 'manual', signal: giving.signal })
    stage = 'body'
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await beginning(answer),
    }
  } catch (error) {
    return { failure: failureOf(giving.signal.aborted ? giving.signal.reason : error, stage) }
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
  }
}

async function beginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  const reader = body?.getReader()
  while (reader && size < BODY_MAX) {
    const { value, done } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    text += decoder.decode(value, { stream: true })
  }
  await reader?.cancel()
  return text
}

function failureOf(error: unknown, stage: TryStage): Failure {
  const { name, message } = errorOf(error)
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message, stage }
  const code = CODES.find(([said]) => said.test(message))?.[1]
  return { code: code ?? name ?? 'ERROR', message, stage: code === 'ECONNREFUSED' ? 'connect' : stage }
}
