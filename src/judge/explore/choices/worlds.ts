import { parse, parseDocument } from 'yaml'
import * as z from 'zod'
import type { GivenParameters } from '../../../core/model/assumption.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { BEGINNING } from '../../subject/own-worlds.ts'
import { riskOfScenario } from '../../subject/risks.ts'
import { choiceRecord } from './choice-record.ts'

interface Entry {
  on?: string | string[]
}

/** A scenario's own part, without what it extends. */
interface Written {
  name: string
  description: string
  parameters?: object
  rules?: Entry[]
  faults?: Entry[]
  callbacks?: { faults?: Entry[] }
  rails?: Record<string, Entry[]>
}

export type Trial = ReturnType<typeof readTrial>

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

const trials = new Map<string, Trial>()

export function trialOf(named: string): Trial {
  return trials.get(named) ?? readTrial(named)
}

export function readTrial(named: string) {
  const scenario = scenarioLibrary().find(named, sharpened[named])
  const { source, parameters } = scenario.sendable()
  // A scenario about a certain day sets its own time.
  const clock = { mode: 'frozen' as const, ...(scenario.clock.startUs === null && { start: BEGINNING }) }
  const written: Written = parse(scenario.source)
  const trial = {
    ...{ name: scenario.name, source: scenario.source, risk: riskOfScenario(scenario.source), written },
    world: { scenario: source, parameters, clock },
  }
  trials.set(named, trial)
  return trial
}

export const scenarioChoice = choiceRecord({
  fields: { scenario: z.string() },
  sort: ({ scenario }) => scenario,
  risk: ({ scenario }) => trialOf(scenario).risk,
  name: ({ scenario }) => trialOf(scenario).name,
  story: ({ scenario }) => `under ${trialOf(scenario).name}`,
  world: ({ scenario }) => trialOf(scenario).world,
})

export const assumeChoice = choiceRecord({
  fields: { assumption: z.string(), alternative: z.string() },
  sort: ({ assumption, alternative }) => `${assumption}: ${alternative}`,
  risk: () => 'surprises',
  name: ({ assumption, alternative }) => `${assumption}: ${alternative}`,
  story: ({ assumption, alternative }) => `the assumption ${assumption} is ${alternative}`,
  settings: ({ assumption, alternative }) => ({ assumptions: { [assumption]: alternative } }),
  world: ({ assumption, alternative }, world) => {
    if (typeof world?.scenario !== 'string') return undefined
    const scenario = parseDocument(world.scenario)
    scenario.setIn(['assumptions', assumption], alternative)
    return { ...world, scenario: scenario.toString({ lineWidth: 0 }) }
  },
})
