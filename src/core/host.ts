import type { Answered, Failure, Network, TryStage } from './model/callback.ts'
import type { Sql } from './sql.ts'

type Alarm = (afterMs: number, ring: () => void) => () => void

export type ConnectionStep = { stage: TryStage; tookMs: number } & ({ found: string } | { failure: Failure })

/** Connects as a callback would, but sends nothing. Gives the stages up to the first that failed. */
export type Probe = (target: URL, options: { timeoutMs: number; signal: AbortSignal }) => Promise<ConnectionStep[]>

export interface Connections {
  send: Send
  close(): void
}

/** A world reads no clock, sets no timer and opens no socket by itself. */
export interface Host {
  wallUs(): number
  defer(work: () => void): void
  alarm: Alarm
  /** For each world, so that none waits for the receivers of another one. */
  connections(): Connections
  ownBaseUrl?(): Promise<string | undefined>
  /** Whether an address leads back to this process with no gate between. No by default. */
  isHere?(address: URL): boolean
  /** The place that callbacks are sent from, and a probe. Absent on hosts without sockets. */
  reach?: { place: Network; probe: Probe }
  lack?(): Error | undefined
}

/** Lets other work run, so that long work is done in pieces. */
export function deferredTurn(host: Pick<Host, 'defer'>): Promise<void> {
  return new Promise((resolve) => host.defer(resolve))
}

export async function inSteps<T>(host: Host, steps: Iterator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = steps.next()
    if (done) return value
    await deferredTurn(host)
  }
}

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

/** After real milliseconds. Checks the time again, because some hosts ring all alarms when one is due. */
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

export interface Databases {
  list(): string[]
  open(id: string): Sql
  /** In memory: an empty world's, or a copy of the bytes. */
  draft(image?: Uint8Array): Sql
  /**
   * Stores a database as a world's, in place of its old one, which must be closed, and opens it for `use`. All or
   * nothing: when the process dies, the storage fails or `use` throws, the old database is back.
   */
  put<T>(id: string, image: Uint8Array, use: (sql: Sql) => T): T
  remove(id: string): void
}

export interface SnapshotStore {
  list(world?: string): { world: string; name: string }[]
  read(world: string, name: string, limit?: number): Uint8Array | undefined
  /** All or nothing. Replaces an older one. */
  write(world: string, name: string, file: Uint8Array): Promise<void>
  remove(world: string, name: string): void
}

/** Handed to the host, because the core opens no sockets. */
export interface Post {
  url: string
  to?: URL
  /** Does not change when an attempt is made again after a crash. */
  id?: string
  headers: Record<string, string>
  body: string
  /** Real milliseconds for the answer, from the moment of connecting. */
  timeoutMs: number
  signal: AbortSignal
}

export type PostResult = (Answered | { failure: Failure }) & {
  tookMs: number
  sentTo?: URL
  place?: Network
  forwarder?: string | undefined
}

export type Send = (post: Post) => Promise<PostResult>

export function using<T>(sql: Sql, use: (sql: Sql) => T): T {
  try {
    return use(sql)
  } finally {
    sql.close()
  }
}

export function orClosed<T>(sql: Sql, make: (sql: Sql) => T): T {
  try {
    return make(sql)
  } catch (error) {
    sql.close()
    throw error
  }
}

export function detachedHost(wallUs: number): Host {
  let nowUs = wallUs
  return {
    wallUs: () => nowUs,
    defer: (work) => queueMicrotask(work),
    alarm: (afterMs, ring) => {
      let cancelled = false
      queueMicrotask(() => {
        if (cancelled) return
        nowUs += afterMs * 1000
        ring()
      })
      return () => {
        cancelled = true
      }
    },
    connections: () => ({ send: async () => ({ status: 200, body: '', tookMs: 0 }), close: () => {} }),
  }
}

export interface Gate {
  request(
    request: Request,
    answer: () => Response | Promise<Response>,
    over: () => Promise<void>,
  ): Response | Promise<Response>
  callback(post: Post, send: Send): Promise<PostResult>
}
