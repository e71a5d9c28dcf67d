/** Operations on the scenario in force, and predictions from it. */
import * as z from 'zod'
import { detachedHost, type PostResult } from '../../../core/host.ts'
import type { GivenParameters } from '../../../core/model/given-parameters.ts'
import { toMajor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import { ScenarioError } from '../../../core/model/problems.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { formatDuration } from '../../../core/model/time.ts'
import type { Scenario } from '../../../core/scenario.ts'
import { scenarioSchemaText } from '../../../core/schema-text.ts'
import type { World } from '../../../core/world.ts'
import { readBody } from '../../../http/read-body.ts'
import { paymentsService } from '../../../service/service.ts'
import { explain } from '../../explain.ts'
import { presentSequence, preview } from '../../preview.ts'
import type { ControlContext } from '../control-context.ts'
import { controlOperation } from '../declared-operation.ts'
import { shownZoneShape } from '../shared-answers.ts'
import { explainRequestOf } from './explain-request.ts'
import { appliedScenarioShape, explanationShape, lintedShape, scenarioShape } from './scenario-answers.ts'

const settings = z.record(z.string(), z.string())

const listScenarios = controlOperation('scenario.list', {
  method: 'GET',
  path: '/scenarios',
  summary: 'List shipped scenarios with their text',
  answer: () =>
    z.object({ scenarios: z.array(z.object({ name: z.string(), description: z.string(), source: z.string() })) }),
  run: (c) => ({
    scenarios: c.env.worlds.shippedScenarios().map(({ name, description, source }) => ({ name, description, source })),
  }),
})

const readScenario = controlOperation('scenario.show', {
  method: 'GET',
  path: '/scenario',
  summary: 'Show the current scenario with the hits of each rule',
  answer: scenarioShape,
  run: (c) => show(c.env.world),
})

const readScenarioSchema = controlOperation('scenario.schema', {
  method: 'GET',
  path: '/scenario.schema.json',
  summary: 'Get the JSON Schema of scenarios',
  answers: { 'application/schema+json': 'JSON Schema.' },
  run: (c) => c.body(scenarioSchemaText(paymentsService), 200, { 'content-type': 'application/schema+json' }),
})

const setScenario = controlOperation('scenario.use', {
  method: 'PUT',
  path: '/scenario',
  summary: 'Apply a scenario to new payments',
  query: settings,
  bodies: { 'application/yaml': 'A scenario in YAML or JSON, or the name of a shipped one.' },
  answer: appliedScenarioShape,
  errors: ['INVALID_SCENARIO'],
  async run(c, { query }) {
    const { world } = c.env
    const scenario = parse(c, await text(c), given(query))
    const before = world.core.scenario.assumptions
    await world.perform({ command: 'set-scenario', scenario })
    const changedAssumptions = Object.entries(world.core.scenario.assumptions).flatMap(([id, is]) =>
      before[id] === is ? [] : [{ id, was: must(before[id]), is }],
    )
    return { ...show(world), changedAssumptions }
  },
})

const lintScenario = controlOperation('scenario.lint', {
  method: 'POST',
  path: '/scenario/lint',
  summary: 'Check a scenario without applying it',
  query: settings,
  bodies: { 'application/yaml': 'A scenario in YAML or JSON, or the name of a shipped one.' },
  answer: lintedShape,
  async run(c, { query }) {
    const source = await text(c)
    try {
      const scenario = c.env.worlds.parseScenario(source, given(query))
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
})

const explainRequest = controlOperation('scenario.explain', {
  method: 'POST',
  path: '/scenario/explain',
  summary: 'Explain which rule and faults a request would meet',
  body: explainRequestOf,
  answer: explanationShape,
  errors: ['INVALID_SCENARIO', 'NOT_FOUND', 'RESOURCE_NOT_FOUND', 'WORLD_TOO_LARGE', 'NOT_SUPPORTED'],
  run(c, { body: asked }) {
    return explain(copies(c, asked.scenario), asked)
  },
})

const previewRequest = controlOperation('scenario.preview', {
  method: 'POST',
  path: '/scenario/preview',
  summary: 'Preview a request in a copy of this world',
  body: explainRequestOf,
  answer: () =>
    z.object({
      scenario: z.string(),
      timezone: shownZoneShape(),
      kind: z.string(),
      rule: z.string().nullable(),
      fault: z.string().nullable(),
      steps: z.array(
        z.object({
          at: z.string(),
          after: z.string(),
          from: z.enum(['merchant', 'mfano', 'rail']),
          to: z.enum(['merchant', 'mfano', 'rail']),
          what: z.string(),
          only: z.string().nullable(),
        }),
      ),
    }),
  errors: ['INVALID_SCENARIO', 'NOT_FOUND', 'RESOURCE_NOT_FOUND', 'WORLD_TOO_LARGE', 'NOT_SUPPORTED'],
  async run(c, { body: asked }) {
    return presentSequence(await preview(copies(c, asked.scenario), asked))
  },
})

/** Opens copies of the world, under the draft of a scenario if there is one. */
function copies(c: ControlContext, draft: string | undefined): (answer?: PostResult) => World {
  const { world, worlds } = c.env
  const scenario = draft === undefined ? undefined : parse(c, draft, {})
  return (answer) => {
    const copy = worlds.copy(world, detachedHost(world.core.clock.now(), answer))
    if (scenario) copy.performNow({ command: 'set-scenario', scenario })
    return copy
  }
}

/** YAML or JSON text, or only the name of a shipped scenario. */
async function text(c: ControlContext): Promise<string> {
  const body = await readBody(c.req.raw)
  if (body.trim() === '') throw new Refusal('INVALID_FIELD', 'body: must be a scenario in YAML or JSON, got nothing')
  return body
}

function given(query: z.output<typeof settings>): GivenParameters {
  const sets = Object.entries(query).filter(([name]) => name.startsWith('set.'))
  return Object.fromEntries(sets.map(([name, value]) => [name.slice('set.'.length), value]))
}

function parse(c: ControlContext, source: string, parameters: GivenParameters): Scenario {
  try {
    return c.env.worlds.parseScenario(source, parameters)
  } catch (error) {
    if (error instanceof ScenarioError) {
      throw new Refusal('INVALID_SCENARIO', error.message, {
        message: 'The scenario has problems; the one in force stays',
      })
    }
    throw error
  }
}

function show(world: World) {
  const { scenario, service } = world.core
  const { counters } = world.core.store
  return {
    name: scenario.name,
    description: scenario.description,
    seed: world.origin.seed,
    callbacks: {
      attempts: scenario.callbacks.attempts,
      backoff: scenario.callbacks.backoffUs.map(formatDuration),
      timeout: `${scenario.callbacks.timeoutMs}ms`,
      loseAnswers: scenario.callbacks.loseAnswers,
      concurrency: scenario.callbacks.concurrency,
      signatureTime: scenario.callbacks.signatureTime,
    },
    wallets: Object.fromEntries(
      Object.entries(scenario.wallets).map(([currency, amountMinor]) => [currency, toMajor(amountMinor)]),
    ),
    assumptions: Object.fromEntries(
      Object.entries(scenario.assumptions).filter(([id, value]) => value !== service.assumptions[id]?.alternatives[0]),
    ),
    rules: scenario.rules.map((rule) => ({ ...rule, decided: counters.current(`rule:${rule.name}`) })),
    faults: [...scenario.faults, ...scenario.callbackFaults].map((fault) => ({
      ...fault,
      decided: counters.current(`rule:${fault.name}`),
    })),
    parameters: scenario.parameters,
    warnings: scenario.warnings(),
    source: scenario.source,
  }
}

export const scenarioOperations = [
  listScenarios,
  readScenario,
  readScenarioSchema,
  setScenario,
  lintScenario,
  explainRequest,
  previewRequest,
] as const
