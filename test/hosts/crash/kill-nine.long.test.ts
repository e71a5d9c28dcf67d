import { test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { dayOrNight } from '../../support/night.ts'
import { dataDirectory } from '../../support/restart.ts'
import { BRISK, judge, load, merchant, nothingLost } from './load.ts'
import { start } from './started.ts'

// The real program under load, killed without warning again and again. What it had acknowledged, it must still know;
// what it owed, it must still deliver; and no money may be gone.

const ROUNDS = dayOrNight(6, 40)

test.each([
  [20250124, 'process'],
  [20250125, 'power'],
] as const)(
  `after ${ROUNDS} times kill -9 nothing that was acknowledged is lost, and every end is told, with seed %d and durability %s`,
  {
    timeout: 60_000 + ROUNDS * 20_000,
  },
  async (seed, durability) => {
    const directory = dataDirectory()
    const chance = new Chance(seed)
    const paying = await merchant(chance)
    const restart = async () => {
      const started = await start(directory, ...BRISK, '--durability', durability)
      await nothingLost(started, paying)
      return started
    }

    for (let round = 1; round <= ROUNDS; round++) {
      const started = await restart()
      const { promise: underWay, resolve } = Promise.withResolvers<void>()
      const loading = load(started, paying, { underWay: resolve })
      // Any moment will do: before the first commit, in the middle of one, while callbacks are on their way.
      if (round % 2 === 0) await underWay
      await started.answers(chance.of('kill', round).below(150))
      await started.program.kill()
      await loading
    }

    await judge(await restart(), paying)
  },
)
