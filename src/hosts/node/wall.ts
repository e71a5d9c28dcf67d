/**
 * Real time, for the process itself: log lines, an orderly end. Everything that merchants see lives in a world's time.
 * No other module asks for the time of day or sets timers; how long something took is measured where it is done.
 */

/** The wall clock, in milliseconds since the epoch. */
export function wallNowMs(): number {
  return Date.now()
}

/** Does something once after some real milliseconds, unless cancelled; the process lives that long. */
export function alarmRealMs(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Does something once after some real milliseconds, unless cancelled; keeps no process alive for it. */
export function afterRealMs(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Does something again and again until cancelled; keeps no process alive for it. */
export function everyRealMs(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Resolves after some real milliseconds; the process lives that long. For people who read along, and between two looks at a process that tells nobody what it does. */
export function realPause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Resolves once this process has taken in what the system held ready for it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
