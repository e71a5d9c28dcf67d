/** Real time that passes when a test says so. */
import type { Host } from '../../src/world/host.ts'

/** Timers that ring when a test says so. */
export function alarms() {
  const set = new Set<() => void>()
  let nowUs = 1_000_000
  const host: Pick<Host, 'wallUs' | 'alarm'> = {
    wallUs: () => nowUs,
    alarm: (_, ring) => {
      set.add(ring)
      return () => set.delete(ring)
    },
  }
  return {
    host,
    /** All that was set rings, an hour later. */
    ring() {
      nowUs += 3_600_000_000
      const rings = [...set]
      set.clear()
      for (const ring of rings) ring()
    },
  }
}
