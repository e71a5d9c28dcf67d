/** The outcome of one attempt to send a callback. Sending, recording and diagnosing share these facts. */

export interface Answered {
  status: number
  headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Only the beginning: a receiver may answer with any number of bytes. */
  body: string
}

export type TryStage = 'address' | 'name' | 'connect' | 'tls' | 'answer' | 'body'

export interface Failure {
  /** As the system or the library names it: `ECONNREFUSED`, `CERT_HAS_EXPIRED`; ours are `TIMEOUT` and `NOT_HTTP`. */
  code: string
  message: string
  stage?: TryStage
  received?: string
}

export interface Place {
  container: boolean
  callbackHost: string | undefined
}

export interface Tried {
  url: string
  sentTo?: URL | undefined
  outcome: Answered | Failure
  /** Real time, because a real receiver answers. */
  timeoutMs: number
  success: '2xx' | '200'
  place: Place
  /** Forwarder that posted it from another machine, if not the world itself. */
  forwarder?: string | undefined
}

/** Hosts that mean this machine, which inside a container is the container. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f:]+\]|0\.0\.0\.0|\[::\])$/

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

export function callbackTarget(
  url: string,
  callbackHost: string | undefined,
): { target: URL; moved: boolean } | undefined {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const moved = callbackHost !== undefined && isLoopback(target.hostname)
  if (moved) target.hostname = callbackHost.includes(':') ? `[${callbackHost}]` : callbackHost
  return { target, moved }
}
