/** Takes the steps of all payments of a filled database, or only updates as many rows. */
import { holdHeapDown } from '../../src/apps/cli/start/hold-heap-down.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { given } from './kit.ts'
import { openWorld } from './open-world.ts'

export interface Stepping {
  file: string
  payments: number
  mode: 'callbacks' | 'update'
}
export interface Stepped {
  perSecond: number
  /** Processor time of each, in microseconds. */
  cpuUs: number
  rssMb: number
}

/** As many as the timekeeper takes in one transaction. */
const BATCH = 480
const HOUR_US = 3_600_000_000

const { file, payments, mode } = given<Stepping>()
const tookMs = mode === 'update' ? await update() : await step()
const { user, system } = process.cpuUsage()
check()
const stepped: Stepped = {
  perSecond: (payments * 1000) / tookMs,
  cpuUs: (user + system) / payments,
  rssMb: process.resourceUsage().maxRSS / 1024,
}
console.log(JSON.stringify(stepped))
// Deliveries that nobody answers would hold the process.
process.exit()

async function step(): Promise<number> {
  // As the program does once it has started.
  holdHeapDown()
  let taken = 0
  let done = () => {}
  const all = new Promise<void>((resolve) => {
    done = resolve
  })
  const world = openWorld(file, {
    onTransition: () => {
      if (++taken === payments) done()
    },
  })
  const startedMs = performance.now()
  await world.perform({ command: 'set-clock', nowUs: world.core.clock.now() + HOUR_US })
  await all
  const tookMs = performance.now() - startedMs
  world.close()
  return tookMs
}

async function update(): Promise<number> {
  const sql = openSqlite(file, 'process')
  const startedMs = performance.now()
  const statement = sql.prepare('UPDATE payment SET status = ?, updated_at_us = ? WHERE seq = ?')
  for (let done = 0; done < payments; done += BATCH) {
    sql.transaction(() => {
      for (let seq = done + 1; seq <= Math.min(done + BATCH, payments); seq++)
        statement.run('SUCCESS', HOUR_US + seq, seq)
    })
    await new Promise(setImmediate)
  }
  const tookMs = performance.now() - startedMs
  sql.close()
  return tookMs
}

/** Every payment went where it should, and has its callback where it should have one. */
function check(): void {
  const sql = openSqlite(file)
  const number = (text: string) => sql.prepare<{ n: number }>(text).get()?.n
  const settled = number("SELECT count(*) AS n FROM payment WHERE status = 'SUCCESS'")
  const callbacks = number('SELECT count(*) AS n FROM callback')
  const expected = mode === 'callbacks' ? payments : 0
  if (settled !== payments || callbacks !== expected)
    throw new Error(`${settled} of ${payments} settled, ${callbacks} of ${expected} callbacks`)
  sql.close()
}
