/** `world.clock.join()`: the timers of a test in the time of a world, and put back afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Mfano, startMfano } from '../../../src/apps/testing/index.ts'

let mfano: Mfano
beforeAll(async () => {
  mfano = await startMfano()
})
afterAll(() => mfano.close())

it('moves timers and dates of this process with the world, in order, and puts them back', async () => {
  const world = await mfano.world()
  const before = [globalThis.setTimeout, globalThis.Date, performance.now]
  const joined = await world.clock.join()
  const heard: string[] = []
  const note = (what: string) => heard.push(`${new Date().toISOString().slice(11, 19)} ${what}`)
  setTimeout(() => note('later'), 90_000)
  const interval = setInterval(() => note('again'), 60_000)
  await world.clock.advance('2m30s')
  clearInterval(interval)
  await joined.leave()
  expect(heard).toEqual(['16:29:00 again', '16:29:30 later', '16:30:00 again'])
  expect([globalThis.setTimeout, globalThis.Date, performance.now]).toEqual(before)
  await sleep(1)
})

it('drives the fake timers that the runner has put in place, and leaves them there', async () => {
  const world = await mfano.world()
  vi.useFakeTimers()
  const fakes = [setTimeout, setImmediate, Date]
  try {
    const joined = await world.clock.join()
    let rang = ''
    setTimeout(() => {
      rang = new Date().toISOString()
    }, 90_000)
    await world.clock.advance('5m')
    await joined.leave()
    expect([setTimeout, setImmediate, Date]).toEqual(fakes)
    expect(rang).toBe('2025-01-24T16:29:30.000Z')
    expect(vi.isFakeTimers()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('puts timers back when the world is closed, whatever became of the test', async () => {
  const before = setTimeout
  const world = await mfano.world()
  await world.clock.join()
  expect(setTimeout).not.toBe(before)
  await world.close()
  expect(setTimeout).toBe(before)
})
