import { startApp } from './app.ts'
import { toldClock, wallClock } from './clock.ts'
import { readSettings } from './settings.ts'

const WORK_EVERY_MS = 1000
const RECONCILE_EVERY_MS = 5 * 60_000

// Told the time and when to work by POST /tick, or by itself.
const isTold = process.env['CLOCK'] === 'told'
const app = await startApp(readSettings(process.env), isTold ? toldClock() : wallClock)
console.log(`Mizigo listens on ${app.url}`)

// What goes wrong in one round is tried again in the next.
const timers = isTold
  ? []
  : [
      setInterval(() => app.work().catch(console.error), WORK_EVERY_MS),
      setInterval(() => app.reconcile().catch(console.error), RECONCILE_EVERY_MS),
    ]
// Whatever was told while it was down.
if (!isTold) await app.reconcile().catch(console.error)

process.once('SIGTERM', async () => {
  for (const timer of timers) clearInterval(timer)
  await app.close()
})
