import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { limitFiles } from '../../support/disk.ts'
import { needs } from '../../support/needs.ts'
import { dayOrNight } from '../../support/night.ts'
import { dataDirectory } from '../../support/restart.ts'
import { BRISK, judge, load, merchant, nothingLost } from './load.ts'
import { type Started, start } from './started.ts'

// The real program under load, whose disk is full from one moment to the next: every write fails, as the system tells
// it. What it acknowledges it keeps, what it cannot keep it refuses, and what was due happens when there is room.

const ROUNDS = dayOrNight(4, 20)

const health = ({ call }: Started) => call('GET', '/_mfano/health')

/** Loads it until it is full, and says so to everybody. */
async function fill(started: Started, paying: Awaited<ReturnType<typeof merchant>>) {
  const underWay = Promise.withResolvers<void>()
  const full = Promise.withResolvers<void>()
  const loading = load(started, paying, { underWay: underWay.resolve, full: full.resolve })
  await underWay.promise
  limitFiles(started.program.child.pid as number, 'full')
  await full.promise
  await loading
  expect(await health(started)).toMatchObject({
    status: 503,
    body: { status: 'degraded', failing: expect.arrayContaining([expect.objectContaining({ part: 'commits' })]) },
  })
}

test(`after ${ROUNDS} times a full disk nothing that was acknowledged is lost, and every end is told`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async (context) => {
  needs('prlimit', context)
  const directory = dataDirectory()
  const paying = await merchant(new Chance(9))
  let started = await start(directory, ...BRISK)
  for (let round = 1; round <= ROUNDS; round++) {
    await fill(started, paying)
    if (round % 2 === 0) {
      // It dies with all that it could not store.
      await started.program.kill()
      started = await start(directory, ...BRISK)
    } else {
      limitFiles(started.program.child.pid as number, 'room')
      // What failed is tried again whenever somebody asks; nothing but the test's timeout bounds how often.
      while ((await health(started)).status !== 200);
    }
    await nothingLost(started, paying)
  }
  await judge(started, paying)
  expect(await health(started)).toMatchObject({ status: 200, body: { status: 'ok', failing: [] } })
})
