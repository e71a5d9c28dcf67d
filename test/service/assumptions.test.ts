import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tiers, toldBy, waysOf } from '../../src/service/probe.ts'
import { probes } from '../../src/service/probes.ts'
import { paymentsService } from '../../src/service/service.ts'
import { shows } from './assumptions/shows.ts'

const operations = paymentsService.operations.map(({ id }) => id)
const callbacks = paymentsService.kinds.filter(({ callback }) => callback !== undefined).map(({ name }) => name)

describe.each(Object.entries(paymentsService.assumptions))('the assumption %s', (_id, { touches, alternatives }) => {
  it('touches operations and callbacks that there are', () => {
    const { operations: touched = [], callbacks: told = [], unrouted = false } = touches
    expect(touched === 'all' ? [] : touched.filter((id) => !operations.includes(id))).toEqual([])
    expect(told === 'all' ? [] : told.filter((name) => !callbacks.includes(name))).toEqual([])
    expect(touched.length > 0 || told.length > 0 || unrouted).toBe(true)
  })

  it('leaves a choice', () => {
    expect(new Set(alternatives).size).toBe(alternatives.length)
    expect(alternatives.length).toBeGreaterThan(1)
  })
})

it('asks at most 75 questions', () => {
  expect(Object.keys(paymentsService.assumptions).length).toBeLessThanOrEqual(75)
})

it('has the questions of each tier that the page about calibrating counts', () => {
  const page = readFileSync(new URL('../../src/docs/calibrate.md', import.meta.url), 'utf8')
  const told = [...page.matchAll(/^\| `([\w-]+)` \| (\d+) \|/gm)].map(([, tier, many]) => [tier, Number(many)])
  const firstWays = Object.values(probes).flatMap((probe) => ('tier' in probe ? probe.tier : []))
  expect(told).toEqual(tiers.map((tier) => [tier, firstWays.filter((one) => one === tier).length]))
  expect(Object.keys(probes).length - firstWays.length).toBe(6)
})

describe.each(Object.entries(probes))('the probe of %s', (id, probe) => {
  it('says nothing where it has seen nothing, and is shown otherwise where it cannot be asked', () => {
    expect('unaskable' in probe).toBe(id in shows)
    if ('unaskable' in probe) return
    const account = { companyId: 'c', apiKey: 'k', apiSecret: 's', to: [], amount: 10, run: 'r' }
    for (const way of waysOf(probe)) expect(typeof toldBy(way, [], account)).not.toBe('string')
    // A request a second is all that it takes: 150 of them end in three minutes.
    const pauses = waysOf(probe)
      .filter(({ tier }) => tier === 'free')
      .flatMap(({ steps }) => steps)
    expect(pauses.filter((step) => 'waitMs' in step)).toEqual([])
  })
})
