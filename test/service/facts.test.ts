/** Nothing about the service is known without saying how. */
import { expect, it } from 'vitest'
import type { Fact } from '../../src/http/contract.ts'
import { assumptions } from '../../src/service/assumed/assumptions.ts'
import { conventions } from '../../src/service/assumed/conventions.ts'
import { paymentsService } from '../../src/service/service.ts'

const { facts } = paymentsService

const groundless = (listed: readonly Fact[]) =>
  listed
    .filter(
      ({ basis, assumption, convention, byScenario, source }) =>
        (basis === 'assumed' &&
          !byScenario &&
          !Object.hasOwn(assumptions, assumption ?? '') &&
          !Object.hasOwn(conventions, convention ?? '')) ||
        ((basis === 'specified' || basis === 'published') && !source),
    )
    .map(({ about, name }) => `${about} ${name}`)

it('rests every fact on a source with its place, on an assumption or convention that there is, or on a scenario', () => {
  expect(facts.length).toBeGreaterThan(80)
  expect(groundless(facts)).toEqual([])
  const one = { ...(facts[0] as Fact), convention: null }
  expect(groundless([{ ...one, name: 'planted', basis: 'assumed', assumption: 'none such' }])).toEqual([
    'order planted',
  ])
  expect(groundless([{ ...one, name: 'planted', basis: 'published', source: null }])).toEqual(['order planted'])
})
