/** What a Durable Object's storage and runtime bound: values of 2 MB, calls of 32, connections that nobody holds. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { using } from '../../../src/core/host.ts'
import { unpackWorld } from '../../../src/core/world-image.ts'
import { openSqliteCopy } from '../../../src/hosts/node/sqlite.ts'
import { payoutTo } from '../../support/bodies.ts'
import { type RunningWorkerd, startWorkerd } from '../../support/workers.ts'
import { callerOf, NOWHERE, PAYOUT } from './caller.ts'

let deployed: RunningWorkerd

beforeAll(async () => {
  deployed = await startWorkerd()
})
afterAll(async () => {
  await deployed?.kill()
})

/** The longest value that is stored of a world, in bytes. */
async function longestIn(id: string): Promise<number> {
  const answer = await fetch(`${deployed.baseUrl}/_mfano/worlds/${id}/file`)
  const { image } = await unpackWorld(new Uint8Array(await answer.arrayBuffer()))
  return using(openSqliteCopy(image), (sql) => {
    const tables = sql.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const lengths = tables.flatMap(({ name }) => {
      const columns = sql.prepare<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`).all()
      const bytes = columns.map((column) => `coalesce(length(CAST("${column.name}" AS BLOB)), 0)`).join(' + ')
      return sql.prepare<{ bytes: number | null }>(`SELECT max(${bytes}) AS bytes FROM "${name}"`).get()?.bytes ?? 0
    })
    return Math.max(...lengths)
  })
}

/** A valid payout of so many characters, which unknown fields make up. */
const payout = (unknown: string) => payoutTo(NOWHERE, { unknown })

test('journals requests that together are larger than a value may be', async () => {
  const world = callerOf(deployed.baseUrl, 'large')
  await world.make({ clock: { mode: 'frozen' } })
  const fillings = Array.from({ length: 40 }, (_, i) => String(i).padStart(60_000, 'a'))
  const answers = await Promise.all(fillings.map((filling) => world.post('/send-money', payout(filling))))
  expect(answers.map(({ status }) => status)).toEqual(fillings.map(() => 201))
  const { requests } = await world.control('GET', '/requests?operation=createSendMoney&limit=40')
  expect(
    requests.map(({ request }: { request: { body: { unknown: string } } }) => request.body.unknown).toSorted(),
  ).toEqual(fillings.toSorted())
  expect(await longestIn('large')).toBeLessThan(2_000_000)
  expect(deployed.said).toEqual([])
  await world.remove()
})

test('journals the beginning of the largest request', async () => {
  const world = callerOf(deployed.baseUrl, 'whole')
  await world.make({ clock: { mode: 'frozen' } })
  const payout = JSON.stringify(PAYOUT)
  const answer = await world.post('/send-money', payout + '\n'.repeat(1_000_000 - payout.length))
  expect(answer.status).toBe(201)
  const { requests } = await world.control('GET', '/requests?operation=createSendMoney')
  expect(requests).toHaveLength(1)
  expect(requests[0].request.body).toMatch(/^\{"phoneNumber":"254712345678".*cut here: no more is kept of a request/s)
  expect(deployed.said).toEqual([])
  await world.remove()
})

test('copies, keeps and restores a world that is larger than a value', async () => {
  const world = callerOf(deployed.baseUrl, 'copied')
  await world.make({ clock: { mode: 'frozen' } })
  const uuids = await Promise.all(Array.from({ length: 60 }, (_, i) => world.pay({ unknown: noise(i + 1, 60_000) })))
  await world.control('POST', '/snapshots', { name: 'before' })
  const more = await world.pay()
  const answer = await fetch(`${deployed.baseUrl}/_mfano/worlds/copied/file`)
  const file = await answer.arrayBuffer()
  expect(file.byteLength).toBeGreaterThan(2 * 1024 ** 2)

  const put = await fetch(`${deployed.baseUrl}/_mfano/worlds/put/file`, { method: 'PUT', body: file })
  expect(put.status, await put.text()).toBeLessThan(300)
  await callerOf(deployed.baseUrl, 'forked').make({ from: 'copied' })
  const known = async (id: string) => {
    const { payments } = await callerOf(deployed.baseUrl, id).control('GET', '/payments?limit=100')
    return payments.map(({ uuid }: { uuid: string }) => uuid).toSorted()
  }
  expect(await known('put')).toEqual([...uuids, more].toSorted())
  expect(await known('forked')).toEqual([...uuids, more].toSorted())
  await world.control('POST', '/snapshots/before/restore')
  expect(await known('copied')).toEqual(uuids.toSorted())
  expect(deployed.said).toEqual([])
  for (const id of ['copied', 'put', 'forked']) await callerOf(deployed.baseUrl, id).remove()
})

test.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
  'journals a request that breaks off, with %s',
  async (length) => {
    const world = callerOf(deployed.baseUrl, 'broken')
    await world.make({ clock: { mode: 'frozen' } })
    const where = 'request.operation == "createSendMoney"'
    const journalled = world.control('POST', '/wait', { for: 'request', where, timeout: '60s' })
    const { port, pathname } = new URL(world.baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    const head = [
      `POST ${pathname}/api/sandbox/v1/send-money HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      length,
    ]
    // Ended, not reset: what a reset overtakes, another process never sees.
    socket.end(`${head.join('\r\n')}\r\n\r\n5\r\n{"a":`)
    await journalled
    const [entry] = (await world.control('GET', '/requests')).requests
    expect(entry).toMatchObject({ operation: 'createSendMoney', request: { body: null } })
    expect(deployed.said).toEqual([])
    socket.destroy()
    await world.remove()
  },
)

/** Letters that do not compress, the same each time. */
function noise(seed: number, length: number): string {
  let state = seed
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += state.toString(36)
  }
  return text.slice(0, length)
}
