/** How a rule says when and in which state a payment ends. */
import { describe, expect, it } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { drawDelay, parseDelay } from '../../../src/core/model/delays.ts'
import { bodies } from '../../support/bodies.ts'
import fc from '../../support/fast-check.ts'
import { useBench } from '../../support/harness.ts'
import { decide, load, problemsOf, withRules } from './support.ts'

const bench = useBench()

describe('a log-normal delay', () => {
  const scenario = load(
    withRules('  - { name: slow, on: till, then: { after: { median: 20s, p95: 3m }, end: SUCCESS } }\n'),
  )
  const drawn = (seed: number) =>
    Array.from({ length: 4000 }, (_, i) => decide(scenario, 'till', {}, { nth: i + 1, chance: new Chance(seed) }).plan)
      .map((plan) => (plan?.afterUs as number) / 1e6)
      .toSorted((a, b) => a - b)

  it('has half below the median and 95 of a hundred below p95, from the seed', () => {
    const seconds = drawn(5)
    expect(seconds[2000]).toBeGreaterThan(18)
    expect(seconds[2000]).toBeLessThan(22)
    expect(seconds[3800]).toBeGreaterThan(160)
    expect(seconds[3800]).toBeLessThan(200)
    expect(seconds.at(-1)).toBeLessThanOrEqual(1800)
    expect(drawn(5)).toEqual(seconds)
    expect(drawn(6)).not.toEqual(seconds)
    expect(scenario.rules[0]?.then).toBe('after about 20s (95 of 100 within 3m) SUCCESS')
  })

  it('is a whole number of milliseconds within its bounds, whatever it is', () => {
    const length = fc.integer({ min: 1, max: 10_000_000 }).map((ms) => `${ms}ms`)
    fc.assert(
      fc.property(length, length, fc.nat(), (median, p95, seed) => {
        const delay = parseDelay({ median, p95 })
        if (typeof delay === 'string') {
          expect(Number.parseInt(p95, 10)).toBeLessThan(Number.parseInt(median, 10))
          return
        }
        const us = drawDelay(delay, () => new Chance(seed).of('delay', 1))
        expect(us % 1000).toBe(0)
        expect(us).toBeGreaterThanOrEqual(delay.fromUs)
        expect(us).toBeLessThanOrEqual(delay.toUs)
      }),
    )
  })

  it.each([
    [
      '{ median: 3m, p95: 20s }',
      'Half are shorter than 3m and 95 of a hundred shorter than 20s, which is less. Write the longer time as p95.',
    ],
    ['{ median: 0s, p95: 20s }', 'The median is 0s. Write the time that half of them are shorter than, such as 20s.'],
    ['{ median: 3m }', '"p95" is missing. Expected a duration such as 4s, 1m30s or 2d (ms, s, m, h, d, w).'],
    ['{ median: 3m, p59: 4m }', '"p59" is not a setting here. Known: median, p95. Did you mean "p95"?'],
    ['[1s, 2s]', 'Found a list. Expected a duration such as 4s'],
  ])('is told what is wrong with %s', (after, message) => {
    const rule = `  - { name: slow, on: till, then: { after: ${after}, end: SUCCESS } }\n`
    expect(problemsOf(withRules(rule)).join('\n')).toContain(message)
  })
})

describe('a checkout session', () => {
  const begin = async (then: string) => {
    const world = await bench.world({
      scenario: `name: session\ndescription: One session.\nrules: [{ name: tested, on: checkout, then: { ${then} } }]\n`,
    })
    const { id } = (await world.post('/api/sandbox/v1/checkout-sessions', bodies.checkout(bench.receiver.url()))).body
    const seen = async () => (await world.get(`/api/sandbox/v1/checkout-sessions/${id}`)).body.status
    return { world, seen }
  }

  it('is paid all the same by a customer who comes in time', async () => {
    const { world, seen } = await begin('after: 10s, end: EXPIRED')
    const [payment] = (await world.control('GET', '/payments')).payments
    await world.inside.perform({ command: 'signal-payment', uuid: payment.uuid, event: 'PAY_CARD', by: 'payer' })
    await world.advance('3s')
    expect(await seen()).toBe('SUCCEEDED')
    expect(await world.available()).toBe(1_001_500)
  })

  it('waits for the customer to confirm on the phone', async () => {
    const { world, seen } = await begin('pay: { after: 5s, by: MPESA_STK, confirm: 20s }, after: 3s, end: SUCCEEDED')
    const states = []
    for (const by of ['5s', '20s', '3s']) {
      await world.advance(by)
      states.push(await seen())
    }
    expect(states).toEqual(['REQUIRES_CUSTOMER_ACTION', 'PROCESSING', 'SUCCEEDED'])
  })

  it.each([
    [
      'pay: { after: 5s }, after: 10s, end: EXPIRED',
      'A session that is paid does not expire. Remove pay, or write another end.',
    ],
    [
      'pay: { after: 5s, confirm: 3s }, after: 10s, end: FAILED',
      'Only a phone prompt is confirmed. Write by: MPESA_STK beside it, or remove confirm.',
    ],
    ['pay: { after: 5s, by: MPESA }, after: 10s, end: FAILED', 'Possible: CARD, MPESA_STK.'],
  ])('is told what is wrong with { %s }', (then, message) => {
    expect(problemsOf(withRules(`  - { name: a, on: checkout, then: { ${then} } }\n`)).join('\n')).toContain(message)
  })
})
