/** Works off what is due in a filled database as a world does, or does the least that any program could instead. */
import { Agent, request } from 'undici'
import { holdHeapDown } from '../../src/apps/cli/start/process.ts'
import { nodeHost } from '../../src/hosts/node/simulator.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { given } from './kit.ts'
import { openWorld } from './open-world.ts'

export interface Working {
  /** `update` is the least for `step`, `undici` for `deliver`. */
  mode: 'step' | 'update' | 'deliver' | 'undici'
  file: string
  payments: number
}
export interface Worked {
  perSecond: number
  /** Processor time of the whole process for each payment, in microseconds. */
  cpuUs: number
  residentMb: number
}

/** As many as the timekeeper takes in one transaction. */
const BATCH = 240
const HOUR_US = 3_600_000_000
/** As many as a world has under way at once. */
const CONNECTIONS = 64

const { file, payments, mode } = given<Working>()
const tookMs = await { step, update, deliver, undici }[mode]()
const { user, system } = process.cpuUsage()
if (mode === 'step' || mode === 'update') check()
const worked: Worked = {
  perSecond: (payments * 1000) / tookMs,
  cpuUs: (user + system) / payments,
  residentMb: process.resourceUsage().maxRSS / 1024,
}
console.log(JSON.stringify(worked))
// Deliveries that nobody answers would hold the process.
process.exit()

async function step(): Promise<number> {
  // As the program does once it has started.
  holdHeapDown()
  const { all, one } = counted()
  const world = openWorld(file, { onTransition: one })
  return timed(async () => {
    await world.perform({ command: 'set-clock', nowUs: world.core.clock.now() + HOUR_US })
    await all
    world.close()
  })
}

async function update(): Promise<number> {
  const sql = openSqlite(file, 'process')
  const statement = sql.prepare('UPDATE payment SET status = ?, updatedAtUs = ? WHERE seq = ?')
  return timed(async () => {
    for (let done = 0; done < payments; done += BATCH) {
      sql.transaction(() => {
        for (let seq = done + 1; seq <= Math.min(done + BATCH, payments); seq++)
          statement.run('SUCCESS', HOUR_US + seq, seq)
      })
      await new Promise(setImmediate)
    }
    sql.close()
  })
}

async function deliver(): Promise<number> {
  const { all, one } = counted()
  // Opening it is all that is needed: what was due stays due. The first bytes leave when this function waits.
  openWorld(file, {
    send: nodeHost({}).connections().send,
    onAttempt: (error) => {
      if (error !== null) throw new Error(error)
      one()
    },
  })
  return timed(() => all)
}

async function undici(): Promise<number> {
  const sql = openSqlite(file)
  const due = sql.prepare<{ url: string; body: string }>('SELECT url, body FROM callback ORDER BY id').all()
  sql.close()
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const headers = { 'content-type': 'application/json', 'user-agent': 'bare' }
  const sender = async () => {
    for (let one = due.pop(); one !== undefined; one = due.pop()) {
      const answer = await request(one.url, { dispatcher, method: 'POST', headers, body: one.body })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  return timed(() => Promise.all(Array.from({ length: CONNECTIONS }, sender)))
}

/** Resolves when `one` was called for each payment. */
function counted(): { all: Promise<void>; one: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = payments
  return {
    all: promise,
    one: () => {
      if (--left === 0) resolve()
    },
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await act()
  return performance.now() - startedMs
}

/** Every payment went where it should, and has its callback where it should have one. */
function check(): void {
  const sql = openSqlite(file)
  const number = (text: string) => sql.prepare<{ n: number }>(text).get()?.n
  const settled = number("SELECT count(*) AS n FROM payment WHERE status = 'SUCCESS'")
  const callbacks = number('SELECT count(*) AS n FROM callback')
  if (settled !== payments || callbacks !== (mode === 'step' ? payments : 0))
    throw new Error(`${settled} of ${payments} settled, ${callbacks} callbacks`)
  sql.close()
}
