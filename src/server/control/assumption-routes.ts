/** Routes: assumptions of the scenario in force. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { Assumption } from '../../core/model/assumption.ts'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { about } from './about.ts'
import { type ControlEnv, json, takes } from './control-context.ts'

const choice = z.strictObject({
  /** One of its alternatives. */
  value: z.string(),
})

/** Choosing another alternative of what no source shows, in the scenario in force. */
export function assumptionRoutes() {
  return new Hono<ControlEnv>().put(
    '/_mfano/assumptions/:id',
    about('Choose another alternative of an assumption, in the scenario in force', {
      path: { id: 'An assumption; GET /_mfano/fidelity lists them.' },
      errors: ['404 NOT_FOUND', '400 INVALID_SCENARIO'],
    }),
    takes(choice),
    async (c) => {
      const { service, world, worlds } = c.env
      const id = c.req.param('id')
      const value = offered(known(id, service), c.req.valid('json').value)
      const { scenario } = world.core
      await world.perform({
        command: 'set-scenario',
        scenario: worlds.scenarioAssuming(scenario, id, value),
      })
      return json(c, { id, inForce: world.core.scenario.assumptions[id] as string })
    },
  )
}

function known(id: string, { assumptions }: Service): Assumption {
  const found = Object.hasOwn(assumptions, id) ? assumptions[id] : undefined
  if (found) return found
  throw new Refusal(
    'NOT_FOUND',
    `there is no assumption "${id.slice(0, 80)}".${didYouMean(id, Object.keys(assumptions))} GET /_mfano/fidelity lists them`,
    { status: 404, message: 'Not found' },
  )
}

function offered({ alternatives }: Assumption, value: string): string {
  if (alternatives.includes(value)) return value
  throw new Refusal(
    'INVALID_FIELD',
    `value: must be one of ${alternatives.join(', ')}, got "${value.slice(0, 80)}".${didYouMean(value, alternatives)}`,
    { message: 'Invalid field' },
  )
}
