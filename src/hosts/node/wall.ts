/**
 * Real time, for the process itself: log lines, an orderly end. Everything that merchants see lives in a world's time.
 * No other module asks for the time of day or sets timers; how long something took is measured where it is done.
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
const originMs = performance.timeOrigin
const sinceOriginMs = performance.now.bind(performance)

/** The wall clock, in milliseconds since the epoch. */
export function wallNowMs(): number {
  return RealDate.now()
}

/** Microseconds of real time since the epoch, which do not go back while the process lives. */
export function steadyNowUs(): number {
  return Math.floor((originMs + sinceOriginMs()) * 1000)
}

/** Does something once after some real milliseconds, unless cancelled; the process lives that long. */
export function alarmRealMs(ms: number, act: () => void): () => void {
  const timer = realSetTimeout(act, ms)
  return () => realClearTimeout(timer)
}

/** Does something once after some real milliseconds, unless cancelled; keeps no process alive for it. */
export function afterRealMs(ms: number, act: () => void): () => void {
  const timer = realSetTimeout(act, ms)
  timer.unref()
  return () => realClearTimeout(timer)
}

/** Does something as soon as the event loop comes around; gives Node's own timer. */
export function soonReal(act: () => void): NodeJS.Timeout {
  return realSetTimeout(act)
}

/** Does something again and again until cancelled; keeps no process alive for it. */
export function everyRealMs(ms: number, act: () => void): () => void {
  const timer = realSetInterval(act, ms)
  timer.unref()
  return () => realClearInterval(timer)
}

/** Resolves after some real milliseconds; the process lives that long. For people who read along, and between two looks at a process that tells nobody what it does. */
export function realPause(ms: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, ms))
}

/** Resolves once this process has taken in what the system held ready for it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve))
}

/** Does something on the next turn of the event loop. */
export function atNextTurn(act: () => void): void {
  realSetImmediate(act)
}

/** What runs between timers goes by the event loop again, where a test runner has faked it; gives what undoes that. */
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
