import { AsyncResource } from 'node:async_hooks'
import { ClientRequest } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import timersPromises from 'node:timers/promises'
import FakeTimers, { type Clock } from '@sinonjs/fake-timers'
import { must } from '../../core/model/must.ts'
import { soonReal } from '../../hosts/node/wall.ts'
import { isOwnWork } from './own-work.ts'

const METHODS = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
/** Node's timers wait for a millisecond at least; without that, a loop of timers would never let time go on. */
const SHORTEST_MS = 1
/**
 * Timers of requests: they matter only while one is under way. undici looks at its own every half second, and closes
 * connections that nobody uses; were those waited for, each request would have time stop at them for seconds.
 */
const OF_REQUESTS = new Set(['onTick', 'onParserTimeout', 'onRequestTimeout'])

type Callback = (...given: unknown[]) => void

interface Timer {
  callAt: number
  ofRequest?: boolean
  handle?: { hasRef(): boolean }
}

type Inner = Omit<Clock, 'now' | 'timers'> & {
  now: number
  timers: Map<number, Timer> | Record<string, Timer> | undefined
  shouldClearNativeTimers?: boolean
}

export class FakeTime {
  changed: () => void = () => {}
  yielding = 0
  readonly #clock: Inner
  readonly #zeroIsReal: boolean
  readonly #restore: (() => void)[] = []

  /**
   * `nowMs`: what time it is in the world, in milliseconds since the epoch. `zeroIsReal`: timers without a length are
   * left alone, because the server of the world may be in this very process, and waits by them for its next turn.
   */
  constructor(nowMs: number, { zeroIsReal = false } = {}) {
    this.#zeroIsReal = zeroIsReal
    const borrowed = clockInPlace()
    if (borrowed) {
      borrowed.setSystemTime(nowMs)
      this.#clock = borrowed
    } else {
      this.#clock = FakeTimers.install({ now: nowMs, toFake: [...METHODS] }) as unknown as Inner
      this.#restore.push(() => this.#clock.uninstall())
    }
    this.#fitTimers()
    this.#put(performance, 'now', measuring(this.#clock, performance.now()))
    this.#put(performance, 'timeOrigin', nowMs - performance.now())
    this.#put(process, 'hrtime', hrtimeOf(performance))
    this.#put(AbortSignal, 'timeout', (ms: number) => this.#abortAfter(ms))
    const { setTimeout: pause } = timersPromises
    this.#put(timersPromises.scheduler, 'wait', (ms: number, options?: { signal?: AbortSignal }) =>
      pause(ms, undefined, options),
    )
    this.#put(ClientRequest.prototype, 'setTimeout', requestTimeout(ClientRequest.prototype.setTimeout))
    syncBuiltinESMExports()
  }

  get nowMs(): number {
    return this.#clock.now
  }

  nextMs(withRequests: boolean): number | undefined {
    let next: number | undefined
    for (const { callAt, ofRequest } of this.#timers())
      if ((withRequests || !ofRequest) && (next === undefined || callAt < next)) next = callAt
    return next
  }

  get holds(): boolean {
    for (const { handle } of this.#timers()) if (handle?.hasRef()) return true
    return false
  }

  step(toMs: number): boolean {
    const next = this.nextMs(true)
    if (next === undefined || next > toMs) {
      this.#clock.now = Math.max(this.#clock.now, toMs)
      return false
    }
    try {
      this.#clock.next()
    } catch (error) {
      // As where Node itself runs a timer that throws.
      process.nextTick(() => {
        throw error
      })
    }
    return true
  }

  /** It is another time all at once, as when somebody sets the clock of a machine; timers stay as far off as they were. */
  jump(nowMs: number): void {
    this.#clock.setSystemTime(nowMs)
  }

  restore(): void {
    for (const undo of this.#restore.reverse()) undo()
    syncBuiltinESMExports()
  }

  #timers(): Iterable<Timer> {
    const { timers = {} } = this.#clock
    return isMap(timers) ? timers.values() : Object.values(timers)
  }

  /** Left out by the library: the context in which a timer was set, and what a process that ends looks at. */
  #fitTimers(): void {
    const clock = this.#clock as unknown as Record<string, (...given: unknown[]) => unknown>
    const before = { ...clock }
    this.#clock.shouldClearNativeTimers = true
    this.#restore.push(() => Object.assign(clock, pick(before, METHODS.slice(1))))
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const set = clock[name] as (...given: unknown[]) => NodeJS.Timeout
      clock[name] = (callback: unknown, ms?: unknown, ...given: unknown[]) => {
        const isCallback = typeof callback === 'function'
        if (isCallback && this.#zeroIsReal && name === 'setTimeout' && !(Number(ms) > 0))
          return this.#soon(() => callback(...given))
        const bound = isCallback ? AsyncResource.bind(callback as Callback) : callback
        const handle = set(bound, Math.max(SHORTEST_MS, Number(ms) || 0), ...given)
        const timer = this.#timerOf(handle)
        if (timer) {
          timer.handle = handle
          timer.ofRequest = isCallback && OF_REQUESTS.has(callback.name)
          if (!timer.ofRequest) this.changed()
        }
        const remove = () => globalThis.clearTimeout(handle)
        return Object.assign(handle, { close: remove, [Symbol.dispose]: remove })
      }
    }
    for (const name of ['clearTimeout', 'clearInterval'] as const) {
      const clear = must(clock[name])
      clock[name] = (...given) => {
        const result = clear(...given)
        this.changed()
        return result
      }
    }
  }

  #soon(act: () => void): NodeJS.Timeout {
    this.yielding++
    return soonReal(() => {
      this.yielding--
      act()
    })
  }

  #timerOf(handle: object): Timer | undefined {
    const { timers } = this.#clock
    const id = Number(handle)
    return timers && (isMap(timers) ? timers.get(id) : timers[id])
  }

  #abortAfter(ms: number): AbortSignal {
    const controller = new AbortController()
    const abort = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    later(abort, ms).unref?.()
    return controller.signal
  }

  #put(target: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, name)
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: before?.enumerable })
    this.#restore.push(() => {
      if (before) Object.defineProperty(target, name, before)
      else Reflect.deleteProperty(target, name)
    })
  }
}

/** Jest's clock is of another realm than its tests, where nothing is an instance of what is here. */
function isMap(timers: NonNullable<Inner['timers']>): timers is Map<number, Timer> {
  return typeof timers.values === 'function'
}

function clockInPlace(): Inner | undefined {
  return Reflect.get(globalThis.setTimeout, 'clock')
}

function pick(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function later(act: () => void, ms: number): NodeJS.Timeout {
  const set = globalThis.setTimeout
  return set(act, ms)
}

function measuring(clock: Inner, fromMs: number): () => number {
  const beganMs = clock.now
  return () => fromMs + (clock.now - beganMs)
}

function hrtimeOf(measure: Pick<Performance, 'now'>): NodeJS.HRTime {
  const nanoseconds = () => BigInt(Math.round(measure.now() * 1000)) * 1000n
  const hrtime = (before?: [number, number]): [number, number] => {
    const since = nanoseconds() - (before ? BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]) : 0n)
    return [Number(since / 1_000_000_000n), Number(since % 1_000_000_000n)]
  }
  return Object.assign(hrtime, { bigint: nanoseconds })
}

/** The time that a request may take is the world's, as its answer is; that of a connection is the machine's. */
function requestTimeout(real: ClientRequest['setTimeout']): ClientRequest['setTimeout'] {
  const running = new WeakMap<ClientRequest, NodeJS.Timeout>()
  return function (this: ClientRequest, ms: number, callback?: () => void) {
    if (isOwnWork()) return real.call(this, ms, callback)
    if (callback) this.once('timeout', callback)
    const stop = () => globalThis.clearTimeout(running.get(this))
    if (running.has(this)) stop()
    else this.once('close', stop)
    const onRequestTimeout = () => void this.emit('timeout')
    if (ms > 0) running.set(this, later(onRequestTimeout, ms))
    return this
  }
}
