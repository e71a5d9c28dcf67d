/** Each merchant with each bug planted in it: found under the scenario that brings it out, and nothing without it. */
import { expect, it } from 'vitest'
import type { GauntletReport } from '../../../src/judge/gauntlet/gauntlet-report.ts'
import { answer } from '../../apps/cli/support.ts'
import { needs } from '../../support/needs.ts'
import { planted, plantedBugs } from './planted-bugs.ts'

const LONG_MS = 240_000

it.for(plantedBugs)('finds in $merchant that $bug ($found)', { timeout: LONG_MS }, async (bug, context) => {
  if (bug.merchant === 'python') needs('python3', context)
  const { code, out, errors } = await answer(['gauntlet', planted(bug), '--json', '--scenario', bug.scenario])
  expect(errors).toBe('')
  const { findings, scenarios } = JSON.parse(out) as GauntletReport
  expect(scenarios.filter(({ verdict }) => verdict === 'unjudged')).toEqual([])
  expect(findings.map((one) => one.code)).toContain(bug.found)
  expect(code).toBe(1)
})
