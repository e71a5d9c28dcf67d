/** HEAD at the control plane and at pages: what a GET would answer, at once, and nobody follows anything. */
import { expect, it } from 'vitest'
import { bodies } from '../../service/assumptions/sending.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

it('is answered to its end on every route, follows nothing and changes nothing', async () => {
  const world = await bench.world({ record: true })
  const uuid = await bench.pay(world)
  const session = await world.post('/api/sandbox/v1/checkout-sessions', bodies.checkout(bench.receiver.url()))
  await world.control('POST', '/snapshots', { name: 'before' })
  const page = new URL(session.body.checkoutUrl).pathname.replace(/^\/w\/[^/]+/, '')
  const { operations } = await world.control('GET', '/')
  const names: Record<string, string> = { phone: '254712345678', name: 'before' }
  const routes = (operations as string[])
    .filter((line) => line.startsWith('GET '))
    .map((line) => line.slice(4).replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? uuid))
  expect(routes).toContain('/_mfano/events')
  const { inside } = world
  const state = () => Promise.all(['/payments', '/callbacks', '/clock'].map((path) => world.control('GET', path)))
  const before = await state()
  for (const path of [...routes, page, `${page}/events`, '/docs', '/openapi.json']) {
    const answer = await fetch(world.baseUrl + path, { method: 'HEAD', redirect: 'manual' })
    expect([path, answer.status < 500, await answer.text()]).toEqual([path, true, ''])
    expect([path, inside.feed.count('stream'), inside.feed.count('payer')]).toEqual([path, 0, 0])
  }
  expect(await state()).toEqual(before)
  const followed = await Promise.all(
    [`/_mfano/events`, `${page}/events`].map((path) => fetch(world.baseUrl + path, { method: 'HEAD' })),
  )
  for (const { status, headers } of followed)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await expect.poll(() => inside.idle, { timeout: 60_000 }).toBe(true)
})
