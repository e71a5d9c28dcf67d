import { startApp } from './app.ts'
import { readSettings } from './settings.ts'

const WORK_EVERY_MS = 1000
const RECONCILE_EVERY_MS = 5 * 60_000

const app = await startApp(readSettings(process.env))
console.log(`Mizigo listens on ${app.url}`)

// What goes wrong in one round is tried again in the next.
const timers = [
  setInterval(() => app.work().catch(console.error), WORK_EVERY_MS),
  setInterval(() => app.reconcile().catch(console.error), RECONCILE_EVERY_MS),
]
// Whatever was told while it was down.
await app.reconcile().catch(console.error)

process.once('SIGTERM', async () => {
  for (const timer of timers) clearInterval(timer)
  await app.close()
})
