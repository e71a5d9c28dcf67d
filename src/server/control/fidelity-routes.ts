/** Routes: what is known how. */
import { Hono } from 'hono'
import type { ChosenBy } from '../../core/model/assumption.ts'
import { constraintsOf } from '../../http/contract.ts'
import { about } from './about.ts'
import { type ControlEnv, json } from './control-context.ts'

/** What is known how: every operation with its source, every constraint, everything else that is no field, and every assumption with its alternatives and the one in force. */
export function fidelityRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/fidelity',
    about('What is known how: operations, constraints, and assumptions with their alternatives'),
    (c) => {
      const { scenario } = c.env.world.core
      const { assumptions, chosenBy } = scenario
      return json(c, {
        bases: {
          specified: 'The service interface document shows it.',
          published: "The provider's published reference shows it.",
          own: 'Of mfano or of HTTP itself: it says nothing about the service.',
          assumed: 'Neither shows it: the least surprising alternative, changeable by a scenario.',
        },
        /** Whether faults end connections here. A host that cannot, as on Workers, answers 502 in the place of that. */
        severs: c.env.sever !== undefined,
        operations: c.env.service.operations.map((operation) => ({
          operation: operation.id,
          method: operation.method.toUpperCase(),
          path: operation.path,
          basis: operation.basis,
          source: operation.source,
          on: operation.only ? assumptions[operation.only.assumption] === operation.only.is : true,
        })),
        constraints: constraintsOf(
          c.env.service.contract({ baseUrl: c.env.baseUrl, version: c.env.version, assumptions }),
        ),
        facts: c.env.service.facts,
        assumptions: Object.entries(c.env.service.assumptions).map(
          ([id, { question, alternatives, note, touches }]) => {
            return {
              id,
              question,
              default: alternatives[0],
              alternatives,
              inForce: assumptions[id] as string,
              /** `drawn`: by the seed of the world. */
              chosenBy: chosenBy[id] as ChosenBy,
              note,
              touches,
              setting: `assumptions: { ${id}: … }`,
            }
          },
        ),
      })
    },
  )
}
