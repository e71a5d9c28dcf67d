/** Operations on the assumptions of the scenario in force. */

import * as z from 'zod'
import type { Assumption, AssumptionRegistry } from '../../../core/model/assumption.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { hintOf } from '../../../core/model/hint.ts'
import { must } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { paymentsService } from '../../../service/service.ts'
import { controlOperation } from '../declared-operation.ts'

const choice = z.strictObject({
  value: z.string().describe('One of its alternatives.'),
})

const chooseAlternative = controlOperation('assumption.choose', {
  method: 'PUT',
  path: '/assumptions/:id',
  summary: 'Choose an alternative of an assumption',
  params: { id: 'An assumption; `fidelity.show` lists them.' },
  body: choice,
  answer: () => z.object({ id: z.string(), inForce: z.string() }),
  errors: ['NOT_FOUND', 'INVALID_SCENARIO'],
  async run(c, { params: { id }, body }) {
    const { world, worlds } = c.env
    const value = offered(known(id), body.value)
    const { scenario } = world.core
    await world.perform({
      command: 'set-scenario',
      scenario: worlds.scenarioAssuming(scenario, id, value),
    })
    return { id, inForce: must(world.core.scenario.assumptions[id]) }
  },
})

function known(id: string): Assumption {
  const assumptions: AssumptionRegistry = paymentsService.assumptions
  const found = Object.hasOwn(assumptions, id) ? assumptions[id] : undefined
  if (found) return found
  throw new Refusal(
    'NOT_FOUND',
    `there is no assumption "${id.slice(0, 80)}".${didYouMean(id, Object.keys(assumptions))}`,
    { hints: [hintOf('{} lists them', 'fidelity.show')] },
  )
}

function offered({ alternatives }: Assumption, value: string): string {
  if (alternatives.includes(value)) return value
  throw new Refusal(
    'INVALID_FIELD',
    `value: must be one of ${alternatives.join(', ')}, got "${value.slice(0, 80)}".${didYouMean(value, alternatives)}`,
  )
}

export const assumptionOperations = [chooseAlternative] as const
