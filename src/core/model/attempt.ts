/** What came of one try at telling a merchant, as facts, for whoever sends, records and diagnoses. */

/** The receiver answered. */
export interface Answered {
  status: number
  /** By name in lower case. */
  headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Its beginning. */
  body: string
}

/** How far a try got. */
export type TryStage = 'address' | 'name' | 'connect' | 'tls' | 'answer' | 'body'

/** There was no answer, or it broke off. */
export interface Failure {
  /** As the system or the library names it: `ECONNREFUSED`, `CERT_HAS_EXPIRED`; ours are `TIMEOUT` and `NOT_HTTP`. */
  code: string
  message: string
  /** Where it failed, when that is known. */
  stage?: TryStage
  /** What came in the place of an answer, its beginning. */
  received?: string
}

/** Where tries start from; what the host knows about itself. */
export interface Place {
  /** mfano runs in a container, whose loopback is its own. */
  container: boolean
  /** What stands for this machine's own name (`MFANO_CALLBACK_HOST`). */
  callbackHost: string | undefined
}

/** One try, as facts. */
export interface Tried {
  /** As the merchant named it. */
  url: string
  /** Where it really went, when something stood in for its host. */
  sentTo?: URL | undefined
  outcome: Answered | Failure
  /** Real time that the receiver had to answer. */
  timeoutMs: number
  /** What counts as received (`callback-success`). */
  success: '2xx' | '200'
  place: Place
}

/** Hosts that are this machine itself. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f:]+\]|0\.0\.0\.0|\[::\])$/

/** Whether a host, as `URL.hostname` writes it, is the machine itself. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * Where a callback goes, and whether `callbackHost` stands there for this machine's own name. Undefined when it is no
 * address that can be posted to.
 */
export function targetOf(url: string, callbackHost: string | undefined): { target: URL; moved: boolean } | undefined {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const moved = callbackHost !== undefined && isLoopback(target.hostname)
  if (moved) target.hostname = callbackHost.includes(':') ? `[${callbackHost}]` : callbackHost
  return { target, moved }
}
