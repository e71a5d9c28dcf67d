/** A scenario with other choices, as a server is sent it. */
import { parseDocument } from 'yaml'
import type { ControlBody } from '../../client/control.ts'
import type { Scenario } from '../../core/scenario.ts'

/** What of a world's beginning a scenario says. */
export type Variant = Pick<ControlBody<'POST', '/worlds'>, 'scenario' | 'parameters'>

/**
 * Gives a scenario with some assumptions chosen, and other callback faults where they are named. One that is shipped is
 * extended by its name, which spares a server reading all of it again and again.
 */
export function variantsOf(
  scenario: Scenario,
): (assumptions: Readonly<Record<string, string>>, faults?: readonly object[]) => Variant {
  const { source, parameters } =
    scenario.file === undefined
      ? {
          source: JSON.stringify({ name: scenario.name, description: 'As shipped.', extends: scenario.name }),
          parameters: {},
        }
      : scenario.sendable()
  return (assumptions, faults) => {
    const document = parseDocument(source)
    for (const [id, value] of Object.entries(assumptions)) document.setIn(['assumptions', id], value)
    if (faults) document.setIn(['callbacks', 'faults'], faults)
    return { scenario: document.toString({ lineWidth: 0 }), parameters }
  }
}
