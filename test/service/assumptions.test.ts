import { describe, expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { allProbes } from './assumptions/all-probes.ts'

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

it('has a probe that shows every alternative of each', () => {
  expect(Object.keys(allProbes).sort()).toEqual(Object.keys(paymentsService.assumptions).sort())
})
