/** What there is: health, kinds of payment and their lifecycles. */
import { Hono } from 'hono'
import { formatInstant } from '../../model/time.ts'
import { targetOf } from '../../scenarios/language/response-faults.ts'
import { about } from './about.ts'
import { type ControlEnv, json } from './control-context.ts'

/** What there is, whether it is ready, and the lifecycles. */
export function overviewRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/health', about('Whether mfano is ready'), async (c) => {
      const { world, worlds, version, adminToken } = c.env
      // A read proves that the world's database answers; a cheap one, because containers ask every few seconds.
      const schemaVersion = world.core.store.meta.get<number>('schema_version')
      const failing = await world.health()
      const body = {
        status: failing.length === 0 ? 'ok' : 'degraded',
        // Anybody may ask; where there is a token, paths and the like are for those who have it: in the log.
        failing: failing.map(({ part, sinceUs, why }) => ({
          part,
          since: new Date(sinceUs / 1000).toISOString(),
          why: adminToken === undefined ? why : 'the log of mfano says why',
        })),
        version,
        world: world.id,
        worlds: worlds.count,
        scenario: world.core.scenario.name,
        now: formatInstant(world.core.clock.now()),
        guarded: adminToken !== undefined,
        schemaVersion,
      }
      return json(c, body, failing.length === 0 ? 200 : 503)
    })

    .get('/_mfano/kinds', about('Kinds of payment, and requests that begin one'), (c) => {
      const { service, baseUrl } = c.env
      return json(c, {
        kinds: [...service.kinds].map(({ name, phrase, direction, ends }) => {
          const opening = service.operations.find(({ opens }) => opens === name)
          return {
            kind: name,
            phrase,
            direction,
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
                        guard: typeof transition.guard === 'string' ? transition.guard : null,
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
