/** Chooses the scenarios of a gauntlet: shipped ones, named ones, or those of a folder. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { GivenParameters } from '../../core/model/assumption.ts'
import { type RiskName, riskOfScenario } from '../../core/model/risks.ts'
import { faultTarget } from '../../core/response-faults.ts'
import type { Scenario } from '../../core/scenario.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { paymentsService } from '../../service/service.ts'
import { Unusable } from '../subject.ts'

export interface Trial {
  name: string
  source: string
  risk: RiskName | undefined
  sendable: { source: string; parameters: Record<string, string | number | boolean> }
  written: Record<string, unknown>
}

export interface KnownTarget {
  id: string
  /** Such as `POST /api/sandbox/v1/send-money`. */
  target: string
  opens: string | undefined
}

/**
 * Shipped scenarios spare small amounts and most payments. An app does little in one run, so these parameters make them
 * strike at once.
 */
const sharpened: Readonly<Record<string, GivenParameters>> = {
  'collection-reversed': { from: 1 },
  'executed-but-503': { every: 1 },
  'executed-twice': { every: 1 },
  'float-runs-dry': { float: 1 },
  'flaky-rail': { failing: 0.3, slow: 0.3, stumbling: 0.1 },
  'late-reversal': { from: 1 },
  'month-end-rush': { from: 1 },
  'rate-limited': { max: 1 },
  'stk-insufficient-funds': { balance: 1 },
  'sub-account-starved': { largest: 1 },
}

const BASE = 'default'

export function readTrials(named: readonly string[], folder: string | undefined): { base: Trial; trials: Trial[] } {
  const library = scenarioLibrary()
  const names = folder === undefined && named.length === 0 ? library.names : [...named, ...filesIn(folder)]
  return {
    base: trialOf(library.find(BASE)),
    trials: names.map((name) => trialOf(library.find(name, sharpened[name]))),
  }
}

function filesIn(folder: string | undefined): string[] {
  if (folder === undefined) return []
  try {
    const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))
    if (files.length > 0) return files.sort().map((name) => join(folder, name))
  } catch (error) {
    throw unusableFolder(`${folder} cannot be read: ${whyUnreadable(error)}`)
  }
  throw unusableFolder(`expected a folder with scenarios, got ${folder}, which has no .yaml file`)
}

function unusableFolder(message: string): Unusable {
  return new Unusable(message, { code: 'SCENARIOS_UNREADABLE', option: 'scenarios' })
}

function trialOf(scenario: Scenario): Trial {
  const { source, parameters } = scenario.sendable()
  return {
    name: scenario.name,
    source: scenario.source,
    risk: riskOfScenario(scenario.source),
    sendable: { source, parameters },
    written: parse(scenario.effective()),
  }
}

export function knownTargets(): KnownTarget[] {
  return paymentsService.operations.map((operation) => ({
    id: operation.id,
    target: faultTarget(operation),
    opens: operation.opens,
  }))
}
