/** The outside that a world is handed. */
import type { Answered, Failure, Place, TryStage } from './model/attempt.ts'
import type { Sql } from './sql.ts'

/** Calls back after some real milliseconds, and gives a function that cancels. */
type Alarm = (afterMs: number, ring: () => void) => () => void

/** One stage on the way to an address. */
export type ConnectionStep = { stage: TryStage; tookMs: number } & ({ found: string } | { failure: Failure })

/** Goes as far as a callback would without sending anything, and gives the stages up to the first that failed. */
export type Probe = (target: URL, options: { timeoutMs: number; signal: AbortSignal }) => Promise<ConnectionStep[]>

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
export function deferredTurn(host: Pick<Host, 'defer'>): Promise<void> {
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
    await deferredTurn(host)
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

/** Where worlds keep their databases. */
export interface Databases {
  /** Ids of the worlds that are stored. */
  list(): string[]
  /** The database of a stored world. */
  open(id: string): Sql
  /** A database to look into, to be closed: empty, or a copy of another's bytes. It is in memory, and no world's. */
  draft(image?: Uint8Array): Sql
  /**
   * Stores a database as a world's, in the place of the one that it may have, which must be closed, and opens it for
   * `use`: as a whole with all that `use` writes or, when the process dies, the storage fails or `use` throws, not at
   * all, and what was there before is there again.
   * @param image the bytes of the database; an empty one without them
   */
  put<T>(id: string, image: Uint8Array | undefined, use: (sql: Sql) => T): T
  /** Does beforehand what `put` would do at once with bytes that may be many, while others have their turn. They are not needed any more then. */
  stage(id: string, image: Uint8Array): Promise<Staged>
  /** An empty database that is filled aside, and closed, before it is put in its place. */
  aside(id: string): Staged & { sql: Sql }
  remove(id: string): void
}

/** A database that is to be a world's: put there once, or given up. */
export interface Staged {
  /** As `Databases.put` does. */
  put<T>(use: (sql: Sql) => T): T
  discard(): void
}

/** Where a server keeps its snapshots: world files, each under a world's id and a name. */
export interface SnapshotStore {
  /** All, or those of one world. */
  list(world?: string): { world: string; name: string }[]
  /** The bytes, or the first `limit` of them, as the caller's own; undefined when there is no such snapshot. */
  read(world: string, name: string, limit?: number): Uint8Array | undefined
  /** All of it or nothing, in the place of what was there. */
  write(world: string, name: string, file: Uint8Array): Promise<void>
  remove(world: string, name: string): void
}

/** A POST to a merchant, and what came of it. Handed in: the core opens no sockets. */
export interface Post {
  /** As the merchant named it. */
  url: string
  /** Where it goes, when that is somewhere else. */
  to?: URL
  headers: Record<string, string>
  body: string
  /** Real time that the receiver has to answer, from when it is connected to. */
  timeoutMs: number
  signal: AbortSignal
}

export type PostResult = (Answered | { failure: Failure }) & {
  tookMs: number
  /** Where it went, when something stood in for the host of its address. */
  sentTo?: URL
  /** From where it was sent, as far as the sender knows. */
  place?: Place
}

export type Send = (post: Post) => Promise<PostResult>

/** Uses a database and closes it. */
export function using<T>(sql: Sql, use: (sql: Sql) => T): T {
  try {
    return use(sql)
  } finally {
    sql.close()
  }
}

/** Makes something of a database, or closes the database again. */
export function orClosed<T>(sql: Sql, make: (sql: Sql) => T): T {
  try {
    return make(sql)
  } catch (error) {
    sql.close()
    throw error
  }
}

/** Alarms ring at once, and every callback gets the same answer. `wallUs`: real time, in which it stands. */
export function detachedHost(wallUs: number, answer: PostResult = { status: 200, body: '', tookMs: 0 }): Host {
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
    connections: () => ({ send: async () => answer, close: () => {} }),
    hashPassword: async (password) => password,
    verifyPassword: async (password, hashed) => password === hashed,
  }
}

/** Stands between worlds and apps. What it does not care for it passes on at once. */
export interface Gate {
  /**
   * A request has come in, to the service or the control plane. `answer` has it worked on; `over` resolves when its
   * answer was sent, or its connection is gone.
   */
  request(
    request: Request,
    answer: () => Response | Promise<Response>,
    over: () => Promise<void>,
  ): Response | Promise<Response>
  /** A callback is about to go out. `send` sends it. */
  callback(post: Post, send: Send): Promise<PostResult>
}
