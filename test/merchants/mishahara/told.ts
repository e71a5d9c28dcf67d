/** The same payroll without timers: whoever judges it tells it what time it is. */
import { daily, payDay, round, serve } from './payroll.ts'

let now = 0

serve(() => now, {
  tick: async (body: { now: string }) => {
    const before = now
    now = Date.parse(body.now)
    if (before > 0 && isPassed(before, 6)) await daily()
    if (before > 0 && isPassed(before, 18, 28)) await payDay()
    await round()
  },
})

/** Whether it was that hour, on that day of a month, since then. */
function isPassed(before: number, hour: number, day?: number): boolean {
  for (let at = before + 1; at <= now; at += 3_600_000) {
    const end = new Date(Math.min(at + 3_600_000, now))
    if (
      end.getUTCHours() >= hour &&
      new Date(before).toISOString() < slot(end, hour) &&
      (day ?? end.getUTCDate()) === end.getUTCDate()
    )
      return true
  }
  return false
}

function slot(at: Date, hour: number): string {
  return `${at.toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}`
}
