/** Large worlds are copied while they are used: a copy is of the moment at which it was asked for. */
import { expect, test } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { payoutTo } from '../../support/payout.ts'

const bench = useBench({ files: true })

const payout = payoutTo('http://127.0.0.1:9/nobody')

/** Of 40 MB, with one payment. */
async function largeWorld(): Promise<TestWorld> {
  const world = await bench.world({ id: 'large' })
  const insert = world.inside.core.store.sql.prepare(
    'INSERT INTO inbox (id, name, at_us, headers, body) VALUES (?, ?, 0, ?, ?)',
  )
  for (let id = 1; id <= 40; id++) insert.run(id, 'large', '{}', 'x'.repeat(1_000_000))
  await world.post('/api/sandbox/v1/send-money', payout)
  return world
}

const paymentsIn = (id: string) => bench.simulator.worlds.get(id).core.store.payments.newestSeq()

test.each<[string, () => Promise<unknown>]>([
  ['forked', () => bench.simulator.worlds.fork({ from: 'large', id: 'copy' })],
  [
    'saved',
    async () => {
      const { worlds } = bench.simulator
      await worlds.snapshots.save(worlds.get('large'), { name: 'saved' })
      await worlds.fork({ from: 'large/saved', id: 'copy' })
    },
  ],
  [
    'exported and imported',
    async () => {
      const { worlds } = bench.simulator
      await worlds.putFile('copy', await worlds.file('large'))
    },
  ],
])('requests are answered while a world is %s, and are not in the copy', async (_, copy) => {
  const world = await largeWorld()
  let isCopied = false
  const copied = copy().then(() => {
    isCopied = true
  })
  const answer = await world.post('/api/sandbox/v1/send-money', payout)
  expect({ status: answer.status, isCopied }).toEqual({ status: 201, isCopied: false })
  await copied
  expect({ copy: paymentsIn('copy'), large: paymentsIn('large') }).toEqual({ copy: 1, large: 2 })
  const [pages] = world.inside.core.store.sql.prepare('PRAGMA wal_autocheckpoint').all()
  expect(pages).toEqual({ wal_autocheckpoint: expect.toSatisfy((n: number) => n >= 4_000) })
})

test('a world that is removed while it is copied gives no copy', async () => {
  await largeWorld()
  const { worlds } = bench.simulator
  const copied = worlds.fork({ from: 'large', id: 'copy' })
  worlds.remove('large')
  await expect(copied).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(worlds.has('copy')).toBe(false)
})

test.each([
  ['DELETE FROM organisation', /that is not there|of an organisation/],
  ["UPDATE payment SET asked = '[]'", /payment\.asked that is no JSON object/],
])('%s is found in a large file, by a thread of its own', async (change, problem) => {
  const world = await largeWorld()
  const { worlds } = bench.simulator
  world.inside.core.store.sql.exec(`PRAGMA foreign_keys = OFF; ${change}`)
  await expect(worlds.file('large').then((file) => worlds.putFile('copy', file))).rejects.toMatchObject({
    code: 'BAD_WORLD_FILE',
    details: expect.stringMatching(problem),
  })
  worlds.remove('large')
})
