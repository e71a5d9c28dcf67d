import { expect, it, onTestFinished } from 'vitest'
import { useBench } from '../support/harness.ts'

const bench = useBench()

it('streams a list of any length while it is read, in order and whole', async () => {
  const world = await bench.world()
  const { inside } = world
  const count = 20_000
  for (let made = 0; made < count; made += 2000) {
    await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        inside.perform({
          command: 'open-payment',
          kind: 'paybill',
          organisationId: 1,
          currency: 'KES',
          amountMinor: 100,
          request: { businessNumber: '12345', accountNumber: String(made + i), amount: 1, remarks: 'r', occasion: 'o' },
        }),
      ),
    )
  }
  // Others have their turn: the host is asked for one with every chunk.
  const { defer } = inside.host
  let turns = 0
  inside.host.defer = (work) => {
    turns++
    defer(work)
  }
  onTestFinished(() => {
    inside.host.defer = defer
  })
  const response = await fetch(`${world.baseUrl}/api/sandbox/v1/paybill/all`, {
    headers: { authorization: `Bearer ${await world.token()}` },
  })
  expect(response.headers.get('content-length')).toBeNull()
  const chunks: number[] = []
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.length)
    text += new TextDecoder().decode(chunk, { stream: true })
  }
  expect(chunks.length).toBeGreaterThan(10)
  expect(turns).toBeGreaterThanOrEqual(count / 200)
  const { status, message, data } = JSON.parse(text)
  expect([status, message, data.length]).toEqual([200, 'Success', count])
  expect(data.map((record: { id: number }) => record.id)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
}, 60_000)

it('gives the list up when the reader goes away', async () => {
  const world = await bench.world()
  for (let i = 0; i < 600; i++) {
    void world.inside.perform({
      command: 'open-payment',
      kind: 'till',
      organisationId: 1,
      currency: 'KES',
      amountMinor: 100,
      request: { businessNumber: '12345', amount: 1, remarks: 'r', occasion: 'o' },
    })
  }
  const leaving = new AbortController()
  const response = await fetch(`${world.baseUrl}/api/sandbox/v1/till/all`, {
    headers: { authorization: `Bearer ${await world.token()}` },
    signal: leaving.signal,
  })
  leaving.abort()
  await expect(response.text()).rejects.toThrow()
  expect((await world.get('/api/sandbox/v1/till/all')).body.data).toHaveLength(600)
})
