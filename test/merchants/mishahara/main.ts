/** The payroll as it runs in production: with timers of its own. */
import cron from 'node-cron'
import { daily, payDay, round, serve } from './payroll.ts'

cron.schedule('0 18 28 * *', payDay, { timezone: 'Etc/UTC' })
cron.schedule('0 6 * * *', daily, { timezone: 'Etc/UTC' })
setInterval(round, 30_000)
serve(Date.now)
