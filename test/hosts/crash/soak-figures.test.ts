import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { slopeOf } from '../../bench/soak/figures.ts'

const SAMPLES = 160
const SERIES = 200

/** How many of a hundred series have a slope per minute in their interval. `kept`: how much of a sample is in the next one. */
function percentHolding(perMinute: number, kept: number): number {
  let holding = 0
  for (let series = 0; series < SERIES; series++) {
    const draw = new Chance(7).of('series', series)
    let drift = 0
    const points = Array.from({ length: SAMPLES }, (_, i) => {
      drift = drift * kept + draw.unit() - 0.5
      return { second: i * 5, value: 200 + (perMinute * i * 5) / 60 + drift }
    })
    const slope = slopeOf(points)
    if (Math.abs(slope.perMinute - perMinute) <= slope.within) holding++
  }
  return (holding / SERIES) * 100
}

test('the interval of a slope holds it in 95 of 100 series of independent samples', () => {
  expect(percentHolding(0, 0)).toBeGreaterThan(91)
  expect(percentHolding(0.5, 0)).toBeGreaterThan(91)
})

test('and in nearly as many where each sample is much like the one before it', () => {
  expect(percentHolding(0, 0.5)).toBeGreaterThan(88)
  expect(percentHolding(0.5, 0.9)).toBeGreaterThan(85)
})

test('a rise that stands out is told apart from none', () => {
  const points = Array.from({ length: SAMPLES }, (_, i) => ({ second: i * 5, value: 200 + i + (i % 2) }))
  const { perMinute, within } = slopeOf(points)
  expect(perMinute).toBeCloseTo(12, 1)
  expect(within).toBeLessThan(0.1)
})
