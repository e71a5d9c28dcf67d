/** What the real service showed lately is not tried otherwise. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import { assumptions } from '../../../src/service/assumptions/assumptions.ts'
import { answer, folder } from '../../apps/cli/support.ts'

it('skips what was measured, says how many runs that saved, and measures again what is asked for by name', async () => {
  const all = defaultsOf(assumptions)
  const on = new Date().toISOString().slice(0, 10)
  const measured = Object.fromEntries(Object.entries(all).map(([id, is]) => [id, { is, on }]))
  const scenario = { name: 'measured', description: 'Of today.', extends: 'default', assumptions: all, measured }
  const file = join(folder({ 'measured.yaml': JSON.stringify(scenario) }), 'measured.yaml')
  const suite = ['--', process.execPath, join(import.meta.dirname, 'suite.mjs')]
  const matrix = (...more: string[]) => answer(['matrix', '--scenario', file, '--env', 'FRAGILE=', ...more, ...suite])
  const { saved, runs } = JSON.parse((await matrix('--json')).out)
  expect(runs.filter(({ verdict }: { verdict: string }) => verdict !== 'skipped')).toEqual([])
  const why = runs.filter((one: { why: string }) => one.why === `measured ${on}, sandbox`)
  expect(saved).toBeGreaterThan(20)
  expect(why).toHaveLength(saved)
  const { out } = await matrix()
  expect(out).toContain(`what was measured at the sandbox saved ${saved} runs`)
  expect(out).toContain(`Skipped: measured ${on}, sandbox`)
  const named = JSON.parse((await matrix('--json', '--assumption', 'list-order')).out)
  expect(named).toMatchObject({ saved: 0, runs: [{ name: 'list-order: newest-first', verdict: 'green' }] })
})
