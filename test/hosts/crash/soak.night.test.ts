import { expect, it } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { soak } from '../../bench/soak/soak-run.ts'
import { dayOrNight } from '../../support/night.ts'
import { dataDirectory } from '../../support/restart.ts'

const REQUESTS = dayOrNight(3000, 100_000)

it('stays whole under mixed load beside kills, forks, resets and slow receivers', {
  timeout: 600_000 + REQUESTS * 20,
}, async () => {
  const soaked = await soak({ requests: REQUESTS, lives: 3, data: dataDirectory(), chance: new Chance(7) })
  const { unasked, lost, imbalances, unsettled, ...figures } = soaked
  console.info(JSON.stringify(figures))
  expect(unasked).toEqual([])
  expect(lost).toEqual([])
  expect(imbalances).toEqual([])
  expect(unsettled).toBe(0)
  expect(figures.kills).toBe(2)
  expect(figures.forks).toBeGreaterThan(5)
  expect(figures.resets).toBeGreaterThan(2)
  // Most requests of the mixture begin a payment, and most payments have a callback of their own.
  expect(figures.payments).toBeGreaterThan(1000)
  expect(figures.callbacks).toBeGreaterThan(500)
})
