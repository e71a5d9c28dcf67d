/** What was measured is the fourth basis: in a scenario, in what is known how, and in the contract. */
import { expect, it } from 'vitest'
import { measuredScenario } from '../../../src/judge/calibrate.ts'
import { useBench } from '../../support/harness.ts'
import { accountWithPast } from './account.ts'
import { calibrated } from './trials.ts'

const bench = useBench()

it('is written as a scenario that a world goes by', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true, assumptions: { 'error-body': 'flat' } })
  const text = measuredScenario(await calibrated(bench.simulator.fetch, hidden))
  expect(text).toContain('# 2026-11-25 Which of the published error bodies is on the wire?\n')
  expect(text).toContain('  error-body: "flat"\n')
  const world = await bench.world({ scenario: text })
  const { assumptions, facts } = await world.control('GET', '/fidelity')
  const of = (id: string) => assumptions.find((one: { id: string }) => one.id === id)
  expect(of('error-body')).toMatchObject({ inForce: 'flat', measured: { on: '2026-11-25' } })
  expect(of('funds-check')).toMatchObject({ measured: null })
  const basisOf = (name: string) => facts.find((one: { name: string }) => one.name === name).basis
  expect([basisOf('location'), basisOf('webhook-id')]).toEqual(['measured', 'assumed'])
  const contract = await (await fetch(`${world.baseUrl}/openapi.json`)).text()
  expect(contract).toContain('"x-basis":"measured","x-assumption":"blank-text","x-measured":"2026-11-25, sandbox"')
})

it('is assumed again where a scenario chooses otherwise, and stale after 90 real days', async () => {
  const base = { name: 'base', description: 'Measured long ago.', extends: 'default' }
  const measured = {
    'error-body': { is: 'flat', on: '2020-01-01' },
    'blank-text': { is: 'refuse', on: '2020-01-01' },
    'list-order': { is: 'newest-first', on: '2020-01-01' },
  }
  const world = await bench.world({
    scenario: { ...base, assumptions: { 'error-body': 'flat', 'blank-text': 'refuse' }, measured },
  })
  const { assumptions } = await world.control('GET', '/fidelity')
  const of = (id: string) => assumptions.find((one: { id: string }) => one.id === id).measured
  expect(of('error-body')).toEqual({ on: '2020-01-01', isStale: true })
  expect(of('list-order')).toBeNull()
  const page = await (await fetch(`${world.baseUrl}/docs/api/assumptions`, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain(
    '<div class="chosen">flat<span class="limits">measured 2020-01-01, sandbox, stale</span></div>',
  )
  expect(page).not.toContain('<div class="chosen">newest-first<span')
  const contract = await (await fetch(`${world.baseUrl}/openapi.json`)).text()
  expect(contract).toMatch(/"x-basis":"measured","x-assumption":"[\w-]+","x-measured":"2020-01-01, sandbox, stale"/)
  // Amounts of examples are as they are on the wire.
  expect(contract).not.toContain('rawJSON')
})
