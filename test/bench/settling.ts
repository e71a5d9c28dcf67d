/** Settles a filled database, or makes as many attempts as that takes in a bare loop. */
import { Agent, request } from 'undici'
import { nodeHost } from '../../src/hosts/node/host/node-host.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { given } from './kit.ts'
import { openWorld } from './open-world.ts'

export interface Settling {
  file: string
  payments: number
  /** For each payment. */
  attempts: number
  side: 'mfano' | 'bare'
  url: string
  /** Attempts under way at once, of the bare loop. */
  concurrency: number
}
export interface Settled {
  tookMs: number
}

const WEEK_US = 7 * 86_400_000_000
const BODY =
  '{"requestId":"00000000-0000-4000-8000-000000000001","phoneNumber":"254711100100","status":"SUCCESS","amount":10.5}'

const { file, payments, attempts, side, url, concurrency } = given<Settling>()
console.log(JSON.stringify({ tookMs: side === 'mfano' ? await mfano() : await bare() } satisfies Settled))
process.exit()

async function mfano(): Promise<number> {
  const world = openWorld(file, { send: nodeHost({}).connections().send })
  const startedMs = performance.now()
  const { ended, steps, callbacks, happened } = await world.runClock({
    to: (nowUs) => nowUs + WEEK_US,
    untilIdle: true,
    keep: 1_000,
  })
  const tookMs = performance.now() - startedMs
  if (
    ended !== 'nothing_pending' ||
    steps !== payments ||
    callbacks.failed !== payments * attempts ||
    happened.length === 0
  )
    throw new Error(`${ended}: ${steps} steps, ${callbacks.failed} of ${payments * attempts} attempts`)
  world.close()
  return tookMs
}

async function bare(): Promise<number> {
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 })
  const headers = { 'content-type': 'application/json', 'user-agent': 'bare' }
  const keep = concurrency === 1 ? keeper() : () => {}
  const startedMs = performance.now()
  let left = payments * attempts
  const work = async () => {
    while (left-- > 0) {
      const answer = await request(url, { dispatcher, method: 'POST', headers, body: BODY })
      await answer.body.text()
      if (answer.statusCode !== 503) throw new Error(`answered ${answer.statusCode}`)
      keep()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return performance.now() - startedMs
}

/** Commits one row: where one attempt comes after the other, no program may go on before the last is kept. */
function keeper(): () => void {
  const sql = openSqlite(`${file}.bare`, 'process')
  sql.exec('CREATE TABLE attempt (url TEXT, body TEXT)')
  const insert = sql.prepare('INSERT INTO attempt (url, body) VALUES (?, ?)')
  return () => sql.transaction(() => insert.run(url, BODY))
}
