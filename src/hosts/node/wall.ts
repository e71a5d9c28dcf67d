/**
 * Real time for the process itself: log lines, an orderly end. Everything that merchants see uses a world's time. No
 * other module reads the time of day or sets timers; durations are measured where work is done.
 */

// Kept from the start: a test suite, or an app that follows a world's clock, puts others in their place. Called bare,
// because workerd refuses its timers as methods of another object.
const {
  Date: RealDate,
  setTimeout: realSetTimeout,
  clearTimeout: realClearTimeout,
  setInterval: realSetInterval,
  clearInterval: realClearInterval,
  setImmediate: realSetImmediate,
  clearImmediate: realClearImmediate,
  queueMicrotask: realQueueMicrotask,
} = globalThis
const realNextTick = globalThis.process?.nextTick
// Not `performance`, which Node would load for it: a fiftieth of a start.
const realHrtime = globalThis.process?.hrtime
const started = realHrtime?.()
const startedUs = RealDate.now() * 1000

export function wallNowMs(): number {
  return RealDate.now()
}

/** Microseconds since the epoch, which never go back in a process. */
export function steadyNowUs(): number {
  const [seconds, nanoseconds] = realHrtime(started)
  return startedUs + seconds * 1_000_000 + Math.floor(nanoseconds / 1000)
}

/** A text that nobody else can know. */
export function unguessable(): string {
  return crypto.randomUUID()
}

/** Keeps the process alive. Returns a function that cancels. */
export function alarmRealMs(ms: number, act: () => void): () => void {
  const timer = realSetTimeout(act, ms)
  return () => realClearTimeout(timer)
}

/** Does not keep the process alive. Returns a function that cancels. */
export function afterRealMs(ms: number, act: () => void): () => void {
  const timer = realSetTimeout(act, ms)
  timer.unref()
  return () => realClearTimeout(timer)
}

export function soonReal(act: () => void): ReturnType<typeof realSetTimeout> {
  return realSetTimeout(act)
}

/** Does not keep the process alive. Returns a function that cancels. */
export function everyRealMs(ms: number, act: () => void): () => void {
  const timer = realSetInterval(act, ms)
  timer.unref()
  return () => realClearInterval(timer)
}

/** Keeps the process alive. For people who read along, and for polling a process that reports nothing. */
export function realPause(ms: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, ms))
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve))
}

export function atNextTurn(act: () => void): void {
  realSetImmediate(act)
}

/** Puts the event loop's own calls back where a test runner has faked them; gives what undoes that. */
export function putRealTurns(): () => void {
  const { setImmediate, clearImmediate, queueMicrotask, process } = globalThis
  const { nextTick } = process
  Object.assign(globalThis, {
    setImmediate: realSetImmediate,
    clearImmediate: realClearImmediate,
    queueMicrotask: realQueueMicrotask,
  })
  process.nextTick = realNextTick
  return () => {
    Object.assign(globalThis, { setImmediate, clearImmediate, queueMicrotask })
    process.nextTick = nextTick
  }
}
