/** What there is: kinds of payment and their lifecycles. */
import { Hono } from 'hono'
import { targetOf } from '../../core/response-faults.ts'
import { about } from './about.ts'
import { type ControlEnv, json } from './control-context.ts'

/** The kinds of payment, and the lifecycle of each. */
export function overviewRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/kinds', about('Kinds of payment, and requests that begin one'), (c) => {
      const { service, baseUrl } = c.env
      return json(c, {
        kinds: [...service.kinds].map(({ name, phrase, ends }) => {
          const opening = service.operations.find(({ opens }) => opens === name)
          return {
            kind: name,
            phrase,
            ends,
            /** What begins one, and a request that does; null for what no merchant asks for. */
            operation: opening ? targetOf(opening) : null,
            example: opening?.example?.(baseUrl) ?? null,
          }
        }),
      })
    })

    .get('/_mfano/machines', about('Lifecycles: the states of each kind, and what leads from one to another'), (c) =>
      json(
        c,
        Object.fromEntries(
          [...c.env.service.kinds].map(({ name, machine }) => [
            name,
            {
              initial: machine.root.initial.target[0]?.key,
              states: Object.fromEntries(
                Object.values(machine.states).map((state) => [
                  state.key,
                  {
                    final: state.ownEvents.length === 0,
                    transitions: [...state.transitions.entries()].flatMap(([event, transitions]) =>
                      transitions.map((transition) => ({
                        on: event.startsWith('xstate.after.') ? `after ${event.split('.')[2]}` : event,
                        to: transition.target?.[0]?.key ?? state.key,
                        does: transition.actions.filter((action) => typeof action === 'string'),
                      })),
                    ),
                  },
                ]),
              ),
            },
          ]),
        ),
      ),
    )
}
