import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { dayOrNight } from '../../support/night.ts'
import { dataDirectory } from '../../support/restart.ts'
import { BRISK, judge, load, merchant, nothingLost, stored } from './load.ts'
import { type Any, startUnder } from './started.ts'

// The real program, killed under load, on a machine whose clock is an hour earlier with every start.

const ROUNDS = dayOrNight(3, 20)
const HOUR_MS = 3_600_000

test(`after ${ROUNDS} times kill -9 and a clock that was set back, time never went back and every end is told`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  const directory = dataDirectory()
  const paying = await merchant(new Chance(11))
  let round = 0
  let lastSeen = ''
  const restart = async () => {
    const clock = [
      'env',
      `NODE_OPTIONS=--import=${import.meta.dirname}/wall-clock.mjs`,
      `WALL_BACK_MS=${round++ * HOUR_MS}`,
    ]
    const started = await startUnder(clock, directory, ...BRISK)
    const { now } = (await started.call('GET', '/_mfano/clock')).body
    expect(now > lastSeen, `${now} after ${lastSeen}`).toBe(true)
    await nothingLost(started, paying)
    return started
  }
  while (round < ROUNDS) {
    const started = await restart()
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    const loading = load(started, paying, { underWay: resolve })
    await underWay
    const [newest] = await stored(started)
    lastSeen = newest.createdAt
    await started.program.kill()
    await loading
  }
  const last = await restart()
  await judge(last, paying)
  const made = (await stored(last)).map(({ createdAt }: Any) => createdAt as string)
  expect(made, 'payments, the newest first').toEqual(made.toSorted().reverse())
  expect(new Set(made).size).toBe(made.length)
})
