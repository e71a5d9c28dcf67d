import type { Hono } from 'hono'
import { z } from 'zod'
import { readBody } from '../api/body.ts'
import { facts } from '../engine/handlers/open-payment.ts'
import { assumptionIds, assumptionRegistry } from '../model/assumptions.ts'
import { currencies, currencyOf, toMajor } from '../model/money.ts'
import { type JsonObject, paymentKinds } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { formatDuration } from '../model/time.ts'
import { ScenarioError } from '../scenarios/problems.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { explainTrace } from '../scenarios/trace.ts'
import type { World } from '../world/world.ts'
import { type ControlContext, type ControlEnv, input, json, organisationOf } from './kit.ts'
import { planOf } from './present.ts'

const question = z.strictObject({
  kind: z.enum(paymentKinds, `must be one of ${paymentKinds.join(', ')}`),
  request: z.record(z.string(), z.json()),
  organisationId: z.string().optional(),
})

/** Reading, replacing, checking and questioning the scenario in force. */
export function scenarioRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/scenario', (c) => json(c, show(c.env.world)))

  app.put('/_mfano/scenario', async (c) => {
    const scenario = parse(c, await text(c))
    await c.env.world.setScenario(scenario)
    return json(c, show(c.env.world))
  })

  app.post('/_mfano/scenario/lint', async (c) => {
    const source = await text(c)
    try {
      const scenario = c.env.worlds.parseScenario(source)
      return json(c, { valid: true, name: scenario.name, rules: scenario.rules.length, problems: [] })
    } catch (error) {
      if (error instanceof ScenarioError) return json(c, { valid: false, problems: error.problems })
      throw error
    }
  })

  app.post('/_mfano/scenario/explain', async (c) => json(c, explain(c.env.world, await input(c, question))))
}

/** A scenario as YAML or JSON text; `{"name": "slow-rails"}` alone names a shipped one. */
async function text(c: ControlContext): Promise<string> {
  const body = await readBody(c.req.raw)
  if (body.trim() === '')
    throw new Refusal('INVALID_FIELD', 'body: must be a scenario in YAML or JSON, got nothing', {
      message: 'Invalid field',
    })
  return body
}

function parse(c: ControlContext, source: string): Scenario {
  try {
    return c.env.worlds.parseScenario(source)
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
  const { scenario } = world.core
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
    },
    wallets: Object.fromEntries(currencies.map((currency) => [currency, toMajor(scenario.wallets[currency])])),
    assumptions: Object.fromEntries(
      assumptionIds
        .filter((id) => scenario.assumptions[id] !== assumptionRegistry[id].alternatives[0])
        .map((id) => [id, scenario.assumptions[id]]),
    ),
    rules: scenario.rules.map((rule) => ({ ...rule, decided: counters.current(`rule:${rule.name}`) })),
    source: scenario.source,
  }
}

/** What would happen to this request now, and why; nothing is made and nothing counted. */
function explain(world: World, { kind, request, organisationId }: z.infer<typeof question>) {
  const { core } = world
  const currency = currencyOf(String(request['currencyCode'] ?? request['currency'] ?? 'KES')) ?? 'KES'
  const nth = core.store.counters.current(`payment:${kind}`) + 1
  const decision = core.scenario.decide(
    facts(
      core,
      {
        kind,
        organisationId: organisationOf(world, organisationId).id,
        currency,
        amountMinor: 0,
        request: request as JsonObject,
      },
      nth,
    ),
  )
  const trace = decision.refuse?.trace ?? decision.plan?.trace ?? ''
  return {
    rule: decision.refuse?.rule ?? decision.plan?.rule,
    refuse: decision.refuse && {
      status: decision.refuse.status,
      code: decision.refuse.code,
      message: decision.refuse.message ?? null,
      details: decision.refuse.details ?? null,
    },
    plan: decision.plan && planOf({ plan: decision.plan }),
    trace: explainTrace(core.scenario, kind, trace),
  }
}
