/** Builds the scenario text for a world with other assumptions. */
import { parseDocument } from 'yaml'
import type { ControlBody } from '../../client/control.ts'
import type { Scenario } from '../../core/scenario.ts'

export type Variant = Pick<ControlBody<'POST', '/worlds'>, 'scenario' | 'parameters'>

/**
 * Also replaces callback faults if `faults` are given. A shipped scenario is extended by name, so that a server need
 * not parse all of it each time.
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
