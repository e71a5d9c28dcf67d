import type { CallbackFault } from './callback-fault.ts'
import type { TraceContext } from './payment.ts'
import type { DurationUs, InstantUs } from './time.ts'

export const callbackStates = ['pending', 'held', 'delivered', 'failed', 'dropped'] as const
export type CallbackState = (typeof callbackStates)[number]

export interface Callback {
  id: number
  /** One for all attempts, so that a receiver can recognise a repetition. */
  uid: string
  paymentSeq: number | null
  topic: string
  url: string
  /** Stored once, so that every attempt sends the same bytes. */
  body: string
  state: CallbackState
  attempts: number
  createdAtUs: InstantUs
  settledAtUs: InstantUs | null
  fault: CallbackFault | null
  trace: TraceContext | null
}

export interface Attempt {
  callbackId: number
  number: number
  byHand: boolean
  sentAtUs: InstantUs
  tookMs: number
  url: string
  forwarder: string | null
  headers: Record<string, string>
  status: number | null
  responseBody: string | null
  error: string | null
  diagnosis: Diagnosis | null
}

// The outcome of one attempt to send a callback. Sending, recording and diagnosing share these facts.

export interface Answered {
  status: number
  headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Only the beginning: a receiver may answer with any number of bytes. */
  body: string
}

export const tryStages = ['address', 'name', 'connect', 'tls', 'answer', 'body'] as const
export type TryStage = (typeof tryStages)[number]

export interface Failure {
  /** As the system or the library names it: `ECONNREFUSED`, `CERT_HAS_EXPIRED`; ours are `TIMEOUT` and `NOT_HTTP`. */
  code: string
  message: string
  stage?: TryStage
  received?: string
}

export interface Network {
  container: boolean
  callbackHost: string | undefined
  own?: URL
}

export interface Tried {
  url: string
  sentTo?: URL | undefined
  outcome: Answered | Failure
  /** Real time, because a real receiver answers. */
  timeoutMs: number
  success: '2xx' | '200'
  place: Network
  forwarder?: string | undefined
}

/** Hosts that mean this machine, which inside a container is the container. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f:]+\]|0\.0\.0\.0|\[::\])$/

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

export const INBOX_PATH = '/_mfano/inbox/'

export function callbackTarget(
  url: string,
  { callbackHost, own }: Omit<Network, 'container'>,
): { target: URL; moved: boolean } | undefined {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const moved = callbackHost !== undefined && isLoopback(target.hostname)
  if (moved && own && target.pathname.includes(INBOX_PATH)) {
    // The port that a container publishes need not be reachable from inside.
    target.hostname = own.hostname
    target.port = own.port
  } else if (moved) target.hostname = callbackHost.includes(':') ? `[${callbackHost}]` : callbackHost
  return { target, moved }
}

/** Attempts at once to one receiver by default: half of a world's, so one slow receiver cannot block all others. */
export const MOST_AT_ONCE = 64

export interface CallbackPolicy {
  attempts: number
  /** World time before the second, third … attempt; the last repeats. */
  backoffUs: DurationUs[]
  /** Real time, because a real receiver answers. */
  timeoutMs: number
  /** The first n answers are lost on the way back, so the receiver has the callback and mfano counts a failure. */
  loseAnswers: number
  concurrency: number
  /** World time between two callbacks that are due at once; 0 sends them without a pause. */
  gapUs: DurationUs
  /** Libraries check the signature's time against the real clock, so `real` is what they accept. */
  signatureTime: 'real' | 'world'
}

export function tryOf(attempt: number, fault: CallbackFault | null): number {
  return fault?.together ? Math.max(1, attempt - (fault.duplicate ?? 1) + 1) : attempt
}

export function retryAfter(policy: CallbackPolicy, attempt: number): DurationUs | null {
  if (attempt >= policy.attempts) return null
  return policy.backoffUs[Math.min(attempt, policy.backoffUs.length) - 1] ?? 0
}

export interface Diagnosis {
  /** Stays the same when the words change: `container-loopback`, `login-page`. */
  code: string
  what: string
  why: string
  todo: string
}

export const signatureStates = ['valid', 'none', 'incomplete', 'stale', 'old-secret', 'wrong'] as const
export type SignatureState = (typeof signatureStates)[number]

const DULL = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'authorization',
  'cookie',
])

export function receivedHeaders(sent: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = [...sent].filter(([name]) => !DULL.has(name))
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
}
