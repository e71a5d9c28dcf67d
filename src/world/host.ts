/** The outside that a world is handed. */
import type { Failure, Place, TryStage } from '../callbacks/outcome.ts'
import type { Send } from './delivery.ts'

/** Calls back after some real milliseconds, and gives a function that cancels. */
type Alarm = (afterMs: number, ring: () => void) => () => void

/** One stage on the way to an address. */
export type ProbeStep = { stage: TryStage; tookMs: number } & ({ found: string } | { failure: Failure })

/** Goes as far as a callback would without sending anything, and gives the stages up to the first that failed. */
export type Probe = (target: URL, options: { timeoutMs: number; signal: AbortSignal }) => Promise<ProbeStep[]>

/** What a world sends its callbacks by; made when it opens, closed with it. */
export interface Connections {
  send: Send
  close(): void
}

/** The outside that a world is handed: it reads no clock, sets no timer and opens no socket by itself. */
export interface Host {
  /** Microseconds of real time. */
  wallUs(): number
  /** Runs a function once the events at hand have been taken in. */
  defer(work: () => void): void
  alarm: Alarm
  /** Connections of its own for each world, so that none waits for what another one's receivers do. */
  connections(): Connections
  /** Where this server answers its own callbacks, once it does; undefined where nobody knows. */
  ownBaseUrl?(): Promise<string | undefined>
  /** Whether what is sent to an address comes back to this very process, with nobody between who cares; no, where left out. */
  isHere?(address: URL): boolean
  /** Where callbacks are sent from, and a look at an address without sending; a host that opens no sockets has neither. */
  reach?: { place: Place; probe: Probe }
  /** What it lacks where it may not open the files that a world or a part of mfano takes; undefined while it may. */
  lack?(): Error | undefined
  /** A salted hash of a password, slow on purpose. */
  hashPassword(password: string): Promise<string>
  /** Whether a password is the one of such a hash. */
  verifyPassword(password: string, hashed: string): Promise<boolean>
}

/** Lets everybody else have their turn: what is long is done a piece at a time. */
export function turn(host: Pick<Host, 'defer'>): Promise<void> {
  return new Promise((resolve) => host.defer(resolve))
}

/** Does work that comes in steps, and lets everybody else have their turn after each, as long as `signal` lets it go on. */
export async function inSteps<T>(
  host: Pick<Host, 'defer'>,
  steps: Iterator<void, T>,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = steps.next()
    if (done) return value
    await turn(host)
  }
}

/** Waits real milliseconds, or until one of the signals says that nobody waits any more. */
export function pause(host: Host, ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signals.some(({ aborted }) => aborted)) return resolve()
    const done = () => {
      cancel()
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = alarmAfter(host, ms, done)
    for (const signal of signals) signal.addEventListener('abort', done)
  })
}

/** Does something after some real milliseconds, unless cancelled. Some hosts ring all their alarms when one is due. */
export function alarmAfter(host: Pick<Host, 'alarm' | 'wallUs'>, ms: number, act: () => void): () => void {
  const dueUs = host.wallUs() + ms * 1000
  const set = (): (() => void) =>
    host.alarm(Math.max(0, Math.ceil((dueUs - host.wallUs()) / 1000)), () => {
      if (host.wallUs() >= dueUs) act()
      else cancel = set()
    })
  let cancel = set()
  return () => cancel()
}
