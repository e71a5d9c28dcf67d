import * as z from 'zod'
import { detachedHost } from '../../core/host.ts'
import type { GivenParameters } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Scenario } from '../../core/scenario.ts'
import { scenarioSchemaText } from '../../core/schema-problems.ts'
import type { World } from '../../core/world.ts'
import type { Worlds } from '../../core/worlds.ts'
import { readBody } from '../../http/read-body.ts'
import { type Hits, hits, hitsShape, written } from '../../inspect/rule-hits.ts'
import { type Reader, shape, view } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { explain, explainRequestOf, explanationShape } from '../explain.ts'
import { type ControlContext, invalidField } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { problemShape } from './fields.ts'

const parameterShape = shape('Parameter', () =>
  z.object({
    name: z.string(),
    value: z.union([z.boolean(), z.string(), z.number()]),
    default: z.union([z.boolean(), z.string(), z.number()]),
    description: z.string().optional(),
  }),
)

const ruleShape = shape('ScenarioRule', () =>
  z.object({
    name: z.string(),
    on: z.array(z.string()).describe('Kinds of payment, or operations.'),
    when: z.string().optional(),
    chance: z.number().optional(),
    nth: z.string().describe('`the 3rd`, `the first 2`: the only matches that it decides.').optional(),
    then: z.string().describe('In words: `after 4s, end FAILED, with (errorCode NAME_MISMATCH)`.'),
    ...written,
  }),
)

const lintedShape = shape('Linted', () =>
  z.object({
    valid: z.boolean(),
    problems: z.array(problemShape()),
    name: z.string().optional(),
    rules: z.number().describe('How many.').optional(),
    own: z.array(ruleShape()).describe('Rules of the text itself, in words.').optional(),
    warnings: z.array(problemShape()).optional(),
  }),
)

const scenarioView = view('Scenario', (read: Reader<Scenario, World>) => ({
  name: z.string(),
  description: z.string(),
  seed: read(z.number(), (_, { origin }) => origin.seed),
  rules: z.array(ruleShape()),
  faults: read(
    z.array(
      ruleShape().extend({
        passes: z.boolean().describe('It lets some of what it matches pass, such as a good token.'),
      }),
    ),
    ({ faults, callbackFaults }) => [...faults, ...callbackFaults],
  ),
  parameters: z.array(parameterShape()),
  warnings: read(z.array(problemShape()), (scenario) => scenario.warnings()),
  source: z.string(),
}))

const appliedScenarioShape = shape('AppliedScenario', () =>
  scenarioView.schema().extend({
    changedAssumptions: z
      .array(z.object({ id: z.string(), was: z.string(), is: z.string() }))
      .describe('Those that differ from before.'),
  }),
)

const settings = z.record(z.string(), z.string())

export const scenarioOperations = [
  controlOperation('scenario.list', 'GET /scenarios', {
    summary: 'List shipped scenarios',
    description: 'The description of each says what happens to payments under it.',
    agent: { tool: 'list_scenarios' },
    answer: () =>
      z.object({ scenarios: z.array(z.object({ name: z.string(), description: z.string(), source: z.string() })) }),
    run: ({ env: { worlds } }) => {
      const scenarios = worlds.library.names.map((name) => worlds.library.shipped(name))
      return { scenarios: scenarios.map(({ name, description, source }) => ({ name, description, source })) }
    },
  }),
  controlOperation('scenario.show', 'GET /scenario', {
    summary: 'Show the current scenario',
    answer: scenarioView.schema,
    run: ({ world }) => scenarioView(world.core.scenario, world),
  }),
  controlOperation('scenario.schema', 'GET /scenario.schema.json', {
    summary: 'Get the JSON Schema of scenarios',
    answers: { 'application/schema+json': 'JSON Schema.' },
    run: ({ c }) => c.body(scenarioSchemaText(paymentsService), 200, { 'content-type': 'application/schema+json' }),
  }),
  controlOperation('scenario.use', 'PUT /scenario', {
    summary: 'Apply a scenario to new payments',
    description: 'Payments that were created before keep what was planned for them.',
    agent: { tool: 'use_scenario', effect: 'destroys' },
    query: settings,
    bodies: { 'application/yaml': 'A scenario in YAML or JSON, or the name of a shipped one.' },
    answer: appliedScenarioShape,
    errors: ['INVALID_SCENARIO'],
    async run({ c, env: { worlds }, world, query }) {
      const scenario = parse(worlds, await text(c), parametersIn(query))
      const before = world.core.scenario.assumptions
      await world.perform({ command: 'set-scenario', scenario })
      const changedAssumptions = Object.entries(world.core.scenario.assumptions).flatMap(([id, is]) =>
        before[id] === is ? [] : [{ id, was: must(before[id]), is }],
      )
      return { ...scenarioView(world.core.scenario, world), changedAssumptions }
    },
  }),
  controlOperation('scenario.lint', 'POST /scenario/lint', {
    summary: 'Check a scenario without applying it',
    description: 'Each problem has its line, its column and the nearest known name.',
    agent: { tool: 'lint_scenario', effect: 'reads' },
    query: settings,
    bodies: { 'application/yaml': 'A scenario in YAML or JSON, or the name of a shipped one.' },
    answer: lintedShape,
    async run({ c, env: { worlds }, query }) {
      const source = await text(c)
      try {
        const scenario = worlds.chosenScenario(source, parametersIn(query))
        const { name, rules } = scenario
        return {
          valid: true,
          name,
          rules: rules.length,
          own: rules.filter(({ inherited }) => !inherited),
          problems: [],
          warnings: scenario.warnings(),
        }
      } catch (error) {
        if (error instanceof ScenarioError) return { valid: false, problems: error.problems }
        throw error
      }
    },
  }),
  controlOperation('scenario.explain', 'POST /scenario/explain', {
    summary: 'Explain what a request would lead to',
    description:
      'It tells the rule, the answer, transitions and callbacks with their times. It changes nothing: it uses a copy.',
    agent: { tool: 'preview_request', effect: 'reads' },
    body: explainRequestOf,
    answer: explanationShape,
    errors: ['INVALID_SCENARIO', 'RESOURCE_NOT_FOUND', 'WORLD_TOO_LARGE', 'NOT_SUPPORTED'],
    run({ env: { worlds }, world, body: asked }) {
      const draft = asked.scenario === undefined ? undefined : parse(worlds, asked.scenario, {})
      const copy = worlds.copy(world, detachedHost(world.core.clock.now()))
      if (draft) copy.performNow({ command: 'set-scenario', scenario: draft })
      return explain(copy, asked)
    },
  }),
  controlOperation('hits.list', 'GET /scenario/hits', {
    summary: 'Count hits of rules and faults',
    query: z.object({ name: z.string().optional().describe('Only the rule or fault of this name.') }),
    answer: hitsShape,
    list: {
      rows: 'hits',
      none: 'No rule has decided anything yet.',
      columns: ['what', 'name', 'hits', 'on', 'when', 'nth:number'],
      picks: hitRows,
    },
    screen: { examples: ['', '--world test-1'] },
    run({ world, query: { name } }) {
      const { hits: all, ...found } = hits(world)
      return { ...found, hits: all.filter((one) => name === undefined || one.name === name) }
    },
  }),
] as const

async function text(c: ControlContext): Promise<string> {
  const body = await readBody(c.req.raw)
  if (body.trim() === '') throw invalidField('body: must be a scenario in YAML or JSON, got nothing')
  return body
}

function parametersIn(query: z.output<typeof settings>): GivenParameters {
  const sets = Object.entries(query).filter(([name]) => name.startsWith('set.'))
  return Object.fromEntries(sets.map(([name, value]) => [name.slice('set.'.length), value]))
}

function parse(worlds: Worlds, source: string, parameters: GivenParameters): Scenario {
  try {
    return worlds.chosenScenario(source, parameters)
  } catch (error) {
    if (error instanceof ScenarioError) {
      throw new Refusal('INVALID_SCENARIO', error.message, {
        message: 'The scenario has problems; the one in force stays',
      })
    }
    throw error
  }
}

/** Those that fired, and a scenario's own. The default one has a rule for each number that a sandbox knows. */
function hitRows({ scenario, hits }: Hits) {
  return hits
    .filter(({ hits, inherited }) => hits > 0 || (!inherited && scenario !== 'default'))
    .sort((a, b) => b.hits - a.hits)
}
