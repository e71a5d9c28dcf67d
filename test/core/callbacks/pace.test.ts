import { expect, it } from 'vitest'
import { faultyWorld, order, SEND_MONEY } from '../../http/faults/support.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const assumptions = { 'callback-signature': 'standard-webhooks' }

async function payTimes(world: TestWorld, times: number) {
  for (let n = 0; n < times; n++) await world.post(SEND_MONEY, order(bench))
}

/** The most that a receiver had at once. Each waits until nobody else comes, or until `most` are there. */
function countAtOnce(most: number) {
  const seen = { most: 0 }
  let waiting: (() => void)[] = []
  bench.receiver.answer = async () => {
    const full = new Promise<void>((resolve) => waiting.push(resolve))
    seen.most = Math.max(seen.most, waiting.length)
    if (waiting.length === most) {
      for (const resolve of waiting) resolve()
      waiting = []
    }
    await full
    return 200
  }
  return seen
}

it.each([1, 3])('leaves %s at once to a receiver', async (concurrency) => {
  const world = await faultyWorld(bench, { callbacks: { concurrency } })
  const seen = countAtOnce(concurrency)
  await payTimes(world, 6)
  expect((await world.advance('1h')).callbacks).toEqual({ delivered: 6, failed: 0 })
  expect(seen.most).toBe(concurrency)
})

it('spreads them evenly where they are paced, and what is late anyway goes at its own time', async () => {
  const world = await faultyWorld(bench, {
    callbacks: { rate: { max: 2, per: '1m' } },
    rules: [
      { name: 'late', on: 'send-money', nth: 1, then: { after: '1s', end: 'SUCCESS', callback: { delay: '10s' } } },
      { name: 'all at once', on: 'send-money', then: { after: '1s', end: 'SUCCESS' } },
    ],
  })
  await payTimes(world, 4)
  await world.advance('1h')
  const { callbacks } = await world.control('GET', '/callbacks?limit=10')
  const sent = await Promise.all(
    callbacks.map(async ({ id }: { id: number }) => (await world.control('GET', `/callbacks/${id}`)).tries[0].sentAt),
  )
  const seconds = sent.map((at) => (Date.parse(`${at.slice(0, 23)}Z`) - Date.parse('2025-01-24T16:28:00Z')) / 1000)
  expect(seconds.sort((a, b) => a - b)).toEqual([1, 11, 31, 61])
})

it.each([
  ['0', '1m'],
  ['2', 'soon'],
])('refuses a rate of %s per %s with the field', async (max, per) => {
  const made = faultyWorld(bench, { callbacks: { rate: { max: Number(max), per } } })
  await expect(made).rejects.toThrow(/callbacks\.rate\.(max|per)/)
})

it('signs with the time of the world where a scenario says so, for a receiver that knows it', async () => {
  const world = await faultyWorld(bench, { assumptions, callbacks: { signatureTime: 'world' } })
  await payTimes(world, 1)
  const { now } = await world.advance('2s')
  const headers = bench.receiver.received[0]?.headers ?? {}
  expect(Number(headers['webhook-timestamp'])).toBe(Date.parse(`${now.slice(0, 19)}Z`) / 1000)
})

it('judges in the inbox by the same time', async () => {
  for (const signatureTime of ['real', 'world']) {
    const world = await faultyWorld(bench, { assumptions, callbacks: { signatureTime } })
    await world.post(SEND_MONEY, order(bench, { callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` }))
    await world.advance('2s')
    expect((await world.control('GET', '/inbox/shop')).messages).toMatchObject([{ signature: 'valid' }])
  }
})

it('keeps in the inbox what came to the letter, for a signature over it', async () => {
  const world = await bench.world()
  const text = '{"amount": 10.0}'
  await fetch(`${world.baseUrl}/_mfano/inbox/shop`, { method: 'POST', body: text })
  expect((await world.control('GET', '/inbox/shop')).messages).toMatchObject([{ body: { amount: 10 }, text }])
})
