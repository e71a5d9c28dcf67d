/** Delivers the callbacks of a database's outbox: as a world does, or in a bare loop. */
import { Agent, request } from 'undici'
import { nodeHost } from '../../src/hosts/node/host/node-host.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { given } from './kit.ts'
import { openWorld } from './open-world.ts'

export interface Delivering {
  file: string
  callbacks: number
  mode: 'mfano' | 'bare'
}
export interface Delivered {
  perSecond: number
}

/** As many as a world has under way at once. */
const CONCURRENCY = 64

const { file, callbacks, mode } = given<Delivering>()
const tookMs = mode === 'mfano' ? await mfano() : await bare()
console.log(JSON.stringify({ perSecond: (callbacks * 1000) / tookMs } satisfies Delivered))
process.exit()

async function mfano(): Promise<number> {
  let delivered = 0
  let done = () => {}
  const all = new Promise<void>((resolve) => {
    done = resolve
  })
  // Opening it is all that is needed: what was due stays due. The first bytes leave when this function waits.
  const world = openWorld(file, {
    send: nodeHost({}).connections().send,
    onAttempt: (error) => {
      if (error !== null) throw new Error(error)
      if (++delivered === callbacks) done()
    },
  })
  const startedMs = performance.now()
  await all
  const tookMs = performance.now() - startedMs
  world.close()
  return tookMs
}

async function bare(): Promise<number> {
  const sql = openSqlite(file)
  const due = sql.prepare<{ url: string; body: string }>('SELECT url, body FROM callback ORDER BY id').all()
  sql.close()
  const dispatcher = new Agent({ connections: CONCURRENCY, pipelining: 1 })
  const headers = { 'content-type': 'application/json', 'user-agent': 'bare' }
  const startedMs = performance.now()
  let next = 0
  const work = async () => {
    for (let one = due[next++]; one !== undefined; one = due[next++]) {
      const answer = await request(one.url, { dispatcher, method: 'POST', headers, body: one.body })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return performance.now() - startedMs
}
