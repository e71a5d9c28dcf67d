import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Sql } from '../../../src/core/sql.ts'
import { openSqlite, openSqliteCopy } from '../../../src/hosts/node/sqlite.ts'
import { fatedScenario, openWorld } from '../../support/inside.ts'
import { dataDirectory } from '../../support/restart.ts'

// The clock of a machine may go back while mfano is not running: it was set, or a virtual machine was put back. World
// time does not.

const HOUR_US = 3_600_000_000
/** Real time on some day, in microseconds. */
const TEN_OCLOCK = 1_760_000_000_000_000

/** A world on a database, on a machine whose clock shows what a test says. */
function worldAt(sql: Sql, wall: { us: number }, clock: { mode: 'realtime' | 'scaled' | 'frozen'; rate: number }) {
  const world = openWorld(fatedScenario(), { sql, host: { wallUs: () => wall.us }, clock: { ...clock, startUs: null } })
  onTestFinished(() => world.close())
  const pay = async () => {
    const { payment } = await world.perform({
      command: 'open-payment',
      kind: 'send-money',
      organisationId: 1,
      currency: 'KES',
      amountMinor: 1000,
      request: { phoneNumber: '254712345678', amount: 10, fate: { afterUs: HOUR_US } },
    })
    return payment.createdAtUs
  }
  return { world, pay, now: () => world.core.clock.now() }
}

test.for<['realtime' | 'scaled' | 'frozen', number]>([
  ['realtime', 1],
  ['scaled', 60],
  ['frozen', 1],
])('time that goes %s (×%d) does not go back with the clock of the machine', async ([mode, rate]) => {
  const wall = { us: TEN_OCLOCK }
  const sql = openSqlite(join(dataDirectory(), 'world.db'))
  const before = worldAt(sql, wall, { mode, rate })
  wall.us += 2 * HOUR_US
  const paidAtUs = await before.pay()
  const reachedUs = before.now()

  // As after a kill: nothing was closed.
  const killed = openSqliteCopy(sql.serialize())
  wall.us -= 10 * HOUR_US
  const after = worldAt(killed, wall, { mode, rate })
  expect(after.now()).toBe(reachedUs)
  expect(await after.pay()).toBeGreaterThan(paidAtUs)
  // And it goes on from there, as fast as before.
  wall.us += HOUR_US
  expect(after.now() - reachedUs).toBe(mode === 'frozen' ? 0 : HOUR_US * rate)
})

test('a journey that goes far ahead of the clock of the machine is kept as well', async () => {
  const wall = { us: TEN_OCLOCK }
  const sql = openSqlite(join(dataDirectory(), 'world.db'))
  const before = worldAt(sql, wall, { mode: 'realtime', rate: 1 })
  const { nowUs } = await before.world.runClock({ to: (now) => now + 100 * HOUR_US })
  wall.us -= HOUR_US
  const after = worldAt(openSqliteCopy(sql.serialize()), wall, { mode: 'realtime', rate: 1 })
  expect(after.now()).toBe(nowUs)
})
