import { expect, onTestFinished, test } from 'vitest'
import { Receiver, useBench } from '../../support/harness.ts'

// A receiver that hangs holds up nobody but itself: no other world, and no other receiver of its own world.

const bench = useBench()
/** More than a world sends at once. */
const MANY = 150

/** A receiver that answers nothing at `/hangs` until it is let go, and everything else at once. */
async function hanging(receiver: Receiver) {
  const { promise: letGo, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  let hung = () => {}
  const hangs = (count: number) =>
    new Promise<void>((done) => {
      hung = () => {
        if (receiver.at('/hangs').length >= count) done()
      }
      hung()
    })
  receiver.answer = async ({ path }) => {
    if (path !== '/hangs') return 200
    hung()
    await letGo
    return 200
  }
  return { letGo: resolve, hangs }
}

/** All ends at one instant, and nobody gives up. */
const patient = {
  name: 'patient',
  description: 'Payouts end after a second, and receivers may take their time.',
  callbacks: { timeout: '60s' },
  rules: [{ name: 'ends', on: 'send-money', then: { after: '1s', end: 'SUCCESS' } }],
}

test('a receiver that hangs in one world holds up no callback to the same address in another', async () => {
  const { receiver } = bench
  const { letGo, hangs } = await hanging(receiver)
  const [busy, other] = [await bench.world({ scenario: patient }), await bench.world({ scenario: patient })]
  for (let i = 0; i < MANY; i++) await bench.pay(busy, { callbackUrl: receiver.url('/hangs') })
  const waiting = busy.advance('1m')
  await hangs(64)

  await bench.pay(other, { callbackUrl: receiver.url('/answers') })
  expect(await other.advance('1m')).toMatchObject({ callbacks: { delivered: 1, failed: 0 } })
  letGo()
  expect(await waiting).toMatchObject({ callbacks: { delivered: MANY, failed: 0 } })
})

test('a receiver that hangs takes no more than half of the places of its world', async () => {
  const other = new Receiver()
  await other.start()
  onTestFinished(() => other.stop())
  const { letGo, hangs } = await hanging(bench.receiver)
  const told = new Promise<void>((resolve) => {
    let left = 10
    other.answer = () => {
      if (--left === 0) resolve()
      return 200
    }
  })
  const world = await bench.world({ scenario: patient })
  for (let i = 0; i < MANY; i++) await bench.pay(world, { callbackUrl: bench.receiver.url('/hangs') })
  for (let i = 0; i < 10; i++) await bench.pay(world, { callbackUrl: other.url('/answers') })
  const waiting = world.advance('1m')
  await hangs(64)
  await told
  expect(bench.receiver.at('/hangs')).toHaveLength(64)
  letGo()
  expect(await waiting).toMatchObject({ callbacks: { delivered: MANY + 10, failed: 0 } })
})
