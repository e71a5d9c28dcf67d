/** The worlds that mutants are run in: as the scenario is, and where what is asked for fails. */
import { parseDocument } from 'yaml'
import type { ControlBody } from '../../client/control.ts'
import { paymentsService } from '../../service/service.ts'

type NewWorld = ControlBody<'POST', '/worlds'>

/** An end that all but a few kinds have, and by which an app must not be told that it is another. */
const FAILURE = 'FAILED'
/** A second try goes well, as it would elsewhere. */
const FAILING = { first: 1, afterS: 4 }

/** A world in which the first payment of each kind fails, so that somebody can be told that it went well. */
export function failing(world: NewWorld & { scenario: string }): NewWorld {
  const document = parseDocument(world.scenario)
  const rules = [...paymentsService.kinds]
    .filter(({ ends }) => ends.includes(FAILURE))
    .map(({ name }) => ({
      name: `the first ${name} fails`,
      on: name,
      nth: FAILING.first,
      then: { after: `${FAILING.afterS}s`, end: FAILURE },
    }))
  const written: { rules?: unknown[] } = document.toJS()
  const own = written.rules ?? []
  document.setIn(['rules'], document.createNode([...rules, ...own]))
  return { ...world, scenario: document.toString({ lineWidth: 0 }) }
}
