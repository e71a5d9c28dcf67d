/** The work that a program has under way: time waits until its event loop has nothing to do. */
import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { Socket } from 'node:net'
import { afterRealMs, nextTurn, wallNowMs } from '../../hosts/node/wall.ts'
import { asOwnWork, isOwnWork } from './own-work.ts'

const TURNS = 2
/** Real milliseconds until what is under way is looked at again, where nothing tells of its end. */
const LOOK_EVERY_MS = 2
/** Operations that end by themselves, in a thread of the pool or in the system: files, names, keys. None of a library, such as UNDICI_REQUEST. */
const OPERATION = /REQWRAP$|REQCALLBACK$|REQPROMISE$|CLOSEREQ$|CONNECTWRAP$|^(?!HTTP)[A-Z\d]+REQUEST$|^Immediate$/
/** An answer may come in pieces: real milliseconds after one in which the next may still come. HTTP says itself where it ends. */
const NEXT_PIECE_MS = 5
const INLET = /^(?:TCPWRAP|PIPEWRAP|UDPWRAP|MESSAGEPORT|PROCESSWRAP)$/
/** A request to the control plane is none of an app's work: it may be the one that moves time. */
const CONTROL = '/_mfano/'

interface Tracked {
  written: number
  read: number
  readAtWrite: number | undefined
  readMs: number
  awaits: boolean
}

interface UndiciRequest {
  path?: string
}

export class AppActivity {
  #happened = 0
  readonly #operations = new Set<number>()
  readonly #inlets = new Map<number, string>()
  readonly #requests = new Set<object>()
  readonly #sockets = new Map<Socket, Tracked>()
  readonly #http = new WeakSet<Socket>()
  readonly #children = new Map<number, { hasRef(): boolean }>()
  /** No longer waited for: only time seems to end it. */
  #waived = new WeakSet<object>()
  #waivedChildren = new Set<number>()
  #ended = () => {}
  asks: () => void = () => {}
  readonly #subscriptions: [string, (message: unknown) => void][]
  #unfollow: () => void = () => {}
  readonly #hook = createHook({
    init: (id, type, _, resource) => {
      if (isOwnWork()) return
      if (INLET.test(type)) this.#inlets.set(id, type)
      else if (OPERATION.test(type)) this.#operations.add(id)
      if (type === 'PROCESSWRAP') this.#children.set(id, resource as { hasRef(): boolean })
    },
    before: (id) => {
      const inlet = this.#inlets.get(id)
      if (inlet === undefined && !this.#operations.delete(id)) return
      if (inlet === 'PROCESSWRAP') this.#children.delete(id)
      this.#note()
    },
    destroy: (id) => {
      this.#inlets.delete(id)
      this.#children.delete(id)
      if (this.#operations.delete(id)) this.#note()
    },
    // None of them is an operation, and Node would watch when each is collected, which makes it ten times as dear.
    trackPromises: false,
  })

  constructor() {
    const on = <Message>(name: string, heard: (message: Message) => void): [string, (message: unknown) => void] => [
      name,
      heard as (message: unknown) => void,
    ]
    const begun = (request: object, path: string | undefined) => {
      if (isOwnWork() || path?.includes(CONTROL)) return false
      this.asks()
      this.#requests.add(request)
      this.#note()
      return true
    }
    const over = (request: object) => {
      if (this.#requests.delete(request)) this.#note()
    }
    const byNode = ({ request }: { request: ClientRequest }) => {
      if (request.socket) this.#http.add(request.socket)
      if (!this.#requests.has(request) && begun(request, request.path)) request.once('close', () => over(request))
    }
    this.#subscriptions = [
      on<{ request: UndiciRequest }>('undici:request:create', ({ request }) => void begun(request, request.path)),
      on<{ request: UndiciRequest }>('undici:request:trailers', ({ request }) => over(request)),
      on<{ request: UndiciRequest }>('undici:request:error', ({ request }) => over(request)),
      on<{ socket: Socket }>('undici:client:connected', ({ socket }) => void this.#http.add(socket)),
      on('http.client.request.created', byNode),
      on('http.client.request.start', byNode),
      on('http.server.request.start', () => this.#note()),
    ]
    this.#followSockets()
    for (const [name, heard] of this.#subscriptions) subscribe(name, heard)
    this.#hook.enable()
  }

  stop(): void {
    this.#hook.disable()
    this.#unfollow()
    for (const [name, heard] of this.#subscriptions) unsubscribe(name, heard)
  }

  get happened(): number {
    return this.#happened
  }

  #note(): void {
    this.#happened++
    this.#ended()
  }

  get requests(): number {
    return this.#requests.size
  }

  /** Resolves once nothing can go on here before somebody answers, or asks; false when it is `outdated` first. */
  async idle(outdated: () => boolean): Promise<boolean> {
    for (let still = 0; still < TURNS; ) {
      if (outdated()) return false
      const before = this.#happened
      await asOwnWork(nextTurn)
      this.#lookAtSockets()
      still = this.#operations.size === 0 && before === this.#happened ? still + 1 : 0
      if (this.#operations.size > 0) await this.#change()
    }
    return true
  }

  /**
   * Resolves once it is idle and waits for no answer; one that does not come within so many real milliseconds is not
   * waited for any longer, because it may be one that only time brings. False when it is `outdated` first.
   */
  async rest(patienceMs: number, outdated: () => boolean): Promise<boolean> {
    let idleSinceMs: number | undefined
    let happened = -1
    for (;;) {
      if (!(await this.idle(outdated))) return false
      if (!this.#isWaiting()) {
        if (!this.#isReceiving()) return true
        await this.#change()
        continue
      }
      if (happened !== this.#happened) {
        happened = this.#happened
        idleSinceMs = wallNowMs()
      } else if (wallNowMs() - (idleSinceMs ?? 0) >= patienceMs) this.#waive()
      await this.#change()
    }
  }

  #isWaiting(): boolean {
    for (const request of this.#requests) if (!this.#waived.has(request)) return true
    for (const [socket, { awaits }] of this.#sockets) if (awaits && !this.#waived.has(socket)) return true
    // One that its program would not wait for either, such as a compiler that stays, is none of its work.
    for (const [id, child] of this.#children) if (child.hasRef() && !this.#waivedChildren.has(id)) return true
    return false
  }

  #isReceiving(): boolean {
    const sinceMs = wallNowMs() - NEXT_PIECE_MS
    for (const [socket, { readMs }] of this.#sockets) if (readMs > sinceMs && !this.#http.has(socket)) return true
    return false
  }

  #waive(): void {
    for (const request of this.#requests) this.#waived.add(request)
    for (const [socket, { awaits }] of this.#sockets) if (awaits) this.#waived.add(socket)
    this.#waivedChildren = new Set(this.#children.keys())
  }

  /** Here rather than by a channel of Node, which tells of no socket that somebody made and connected by itself, as pg does. */
  #followSockets(): void {
    const { connect } = Socket.prototype
    const follow = (socket: Socket) => this.#follow(socket)
    const followed = function (this: Socket, ...given: unknown[]) {
      follow(this)
      return Reflect.apply(connect, this, given)
    }
    Reflect.set(Socket.prototype, 'connect', followed)
    this.#unfollow = () => {
      if (Socket.prototype.connect === followed) Socket.prototype.connect = connect
    }
  }

  /** Other protocols than HTTP are known by their bytes: after a write somebody is to answer. */
  #follow(socket: Socket): void {
    if (isOwnWork() || this.#sockets.has(socket)) return
    this.asks()
    const tracked: Tracked = { written: 0, read: 0, readAtWrite: undefined, readMs: 0, awaits: false }
    this.#sockets.set(socket, tracked)
    const { write } = socket
    // The next question may go out in the turn in which an answer came in.
    socket.write = (...given: unknown[]) => {
      tracked.readAtWrite = socket.bytesRead
      return Reflect.apply(write, socket, given)
    }
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#note()
    })
  }

  #lookAtSockets(): void {
    for (const [socket, seen] of this.#sockets) {
      const { bytesWritten, bytesRead } = socket
      if (bytesWritten === seen.written && bytesRead === seen.read) continue
      if (bytesRead !== seen.read) seen.readMs = wallNowMs()
      seen.awaits = bytesRead === (seen.readAtWrite ?? seen.read)
      // An encrypted connection over it writes without it.
      if (!seen.awaits) seen.readAtWrite = undefined
      seen.written = bytesWritten
      seen.read = bytesRead
      this.#waived.delete(socket)
      this.#happened++
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        this.#ended = () => {}
        resolve()
      }
      const cancel = asOwnWork(() => afterRealMs(LOOK_EVERY_MS, done))
      this.#ended = done
    })
  }
}
