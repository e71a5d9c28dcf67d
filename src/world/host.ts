import type { Send } from './deliverer.ts'
import type { Alarm } from './timekeeper.ts'

/** The outside that a world is handed: it reads no clock, sets no timer and opens no socket by itself. */
export interface Host {
  /** Microseconds of real time. */
  wallUs(): number
  /** Runs a function once the events at hand have been taken in. */
  defer(work: () => void): void
  alarm: Alarm
  send: Send
  /** A salted hash of a password, slow on purpose. */
  hashPassword(password: string): Promise<string>
}

/** Does something after some real milliseconds, unless cancelled. Some hosts ring all their alarms when one is due. */
export function alarmAfter(host: Host, ms: number, act: () => void): () => void {
  const dueUs = host.wallUs() + ms * 1000
  const set = (): (() => void) =>
    host.alarm(Math.max(0, Math.ceil((dueUs - host.wallUs()) / 1000)), () => {
      if (host.wallUs() >= dueUs) act()
      else cancel = set()
    })
  let cancel = set()
  return () => cancel()
}
