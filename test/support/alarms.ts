/** Real time that passes when a test says so. */
import type { Host } from '../../src/core/host.ts'

const HOUR_MS = 3_600_000

/** Timers that ring when a test says so. */
export interface Alarms {
  readonly host: Pick<Host, 'wallUs' | 'alarm'>
  /** How many have not rung yet. */
  readonly pending: number
  /** Real milliseconds pass, and what was set to ring within them does. */
  pass(ms: number): void
  /** An hour passes. */
  ring(): void
  /** Resolves when one is set that rings so many milliseconds from now. */
  set(ms: number): Promise<void>
  /** Resolves with the milliseconds until the next one rings, once there is one. */
  next(): Promise<number>
}

export function alarms(): Alarms {
  let nowUs = 1_000_000
  const pending = new Set<{ dueUs: number; ring(): void }>()
  const looks: (() => void)[] = []
  const another = () => new Promise<void>((resolve) => looks.push(resolve))
  const pass = (ms: number) => {
    nowUs += ms * 1000
    const due = [...pending].filter(({ dueUs }) => dueUs <= nowUs).sort((one, other) => one.dueUs - other.dueUs)
    for (const alarm of due) if (pending.delete(alarm)) alarm.ring()
  }
  return {
    host: {
      wallUs: () => nowUs,
      alarm: (afterMs, ring) => {
        const alarm = { dueUs: nowUs + afterMs * 1000, ring }
        pending.add(alarm)
        for (const look of looks.splice(0)) look()
        return () => pending.delete(alarm)
      },
    },
    get pending() {
      return pending.size
    },
    pass,
    ring: () => pass(HOUR_MS),
    async set(ms) {
      while (![...pending].some(({ dueUs }) => dueUs === nowUs + ms * 1000)) await another()
    },
    async next() {
      while (pending.size === 0) await another()
      return (Math.min(...Array.from(pending, ({ dueUs }) => dueUs)) - nowUs) / 1000
    },
  }
}
