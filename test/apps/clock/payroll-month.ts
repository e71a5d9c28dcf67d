/** Runs the payroll, as it is, through simulated days. */
import { join } from 'node:path'
import { COMPARED, rowsOf } from '../../../src/core/schema.ts'
import { startClockApp } from '../../support/clock-app.ts'
import type { Bench } from '../../support/harness.ts'

const main = join(import.meta.dirname, '../../merchants/mishahara/main.ts')

/** What it came to, to the byte. */
export async function payrollDays(bench: Bench, { start, days, port }: { start: string; days: number; port: number }) {
  // One name and one port, so that addresses are the same in two runs.
  const world = await bench.world({ id: 'payroll', seed: 7, clock: { mode: 'frozen', start } })
  const app = await startClockApp(world, main, { port, ready: '/books' })
  for (let n = 1; n <= 5; n++)
    await app.ask('/employees', { name: `employee-${n}`, phone: `25471200010${n}`, amount: 1000 + n })
  const advanced = await world.advance(`${days}d`)
  const [books, jobs, heard] = [await app.ask('/books'), await app.ask('/jobs'), await app.ask('/heard')]
  await app.stop()
  const { sql } = world.inside.core.store
  const rows = Object.fromEntries(COMPARED.map((table) => [table, rowsOf(sql, table).map(withoutRealTime)]))
  await bench.simulator.fetch(`${bench.simulator.baseUrl}/_mfano/worlds/payroll`, { method: 'DELETE' })
  return { advanced, books, jobs, heard, rows }
}

/** How long a receiver took is real time. */
function withoutRealTime(row: string): string {
  return row.replace(/"(took_?[mM]s)":\d+/, '"$1":0')
}
