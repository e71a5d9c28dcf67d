/** The mock timers of node:test, which a test has enabled, put in a world's hands. */
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { soonReal } from '../../hosts/node/wall.ts'
import type { FollowedTime } from './participation.ts'

interface MockTimers {
  tick(ms: number): void
  setTime(ms: number): void
}

/** A mock timer, as the test holds it. */
interface Handle {
  runAt: number
}

type Setter = (callback: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => Handle

/** Those that have put a mock of `Date` in place: only by that are they found. */
export function mockTimersInPlace(): MockTimers | undefined {
  const mark = Object.getOwnPropertySymbols(Date).find(({ description }) => description === 'MockTimers')
  return mark && Reflect.get(Date, mark)
}

export class MockTime implements FollowedTime {
  readonly holds = false
  yielding = 0
  nowMs: number
  changed: () => void = () => {}
  readonly #mock: MockTimers
  /** Their own list is private. */
  readonly #set = new Set<Handle>()
  readonly #restore: (() => void)[] = []

  constructor(mock: MockTimers, nowMs: number) {
    this.#mock = mock
    this.nowMs = nowMs
    mock.setTime(nowMs)
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const before = globalThis[name] as unknown as Setter
      this.#put(globalThis, name, (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
        // The server of the world may be in this very process, and waits by such a one for its next turn.
        if (name === 'setTimeout' && !(ms > 0)) return this.#soon(() => callback(...given))
        return this.#noted(before(callback, ms, ...given))
      })
    }
    for (const name of ['clearTimeout', 'clearInterval'] as const) {
      const before = globalThis[name]
      this.#put(globalThis, name, (handle: NodeJS.Timeout & Handle) => {
        before(handle)
        this.#set.delete(handle)
        this.changed()
      })
    }
    const pause = timersPromises.setTimeout
    this.#put(timersPromises, 'setTimeout', (ms = 0, ...given: [unknown?, { signal?: AbortSignal }?]) => {
      this.#noted({ runAt: this.nowMs + ms })
      return pause(ms, ...given)
    })
    syncBuiltinESMExports()
  }

  nextMs(): number | undefined {
    let next: number | undefined
    const nowMs = this.nowMs
    for (const handle of this.#set)
      if (handle.runAt <= nowMs) this.#set.delete(handle)
      else if (next === undefined || handle.runAt < next) next = handle.runAt
    return next
  }

  step(toMs: number): boolean {
    const next = this.nextMs()
    const isDue = next !== undefined && next <= toMs
    const ms = (isDue ? next : toMs) - this.nowMs
    if (ms > 0) {
      this.nowMs += ms
      this.#mock.tick(ms)
    }
    return isDue
  }

  jump(nowMs: number): void {
    this.nowMs = nowMs
    this.#mock.setTime(nowMs)
  }

  /** Leaves them as the test has enabled them. */
  restore(): void {
    for (const undo of this.#restore) undo()
    syncBuiltinESMExports()
  }

  #noted(handle: Handle): Handle {
    this.#set.add(handle)
    this.changed()
    return handle
  }

  #soon(act: () => void): NodeJS.Timeout {
    this.yielding++
    return soonReal(() => {
      this.yielding--
      act()
    })
  }

  #put(target: object, name: string, value: unknown): void {
    const before: unknown = Reflect.get(target, name)
    Reflect.set(target, name, value)
    this.#restore.push(() => {
      if (Reflect.get(target, name) === value) Reflect.set(target, name, before)
    })
  }
}
