/** How worlds of a deployment begin, by its variables. */
import type { GivenParameters } from '../../../core/model/given-parameters.ts'
import { nameAndValue } from '../../../core/model/name-value.ts'
import { type ScenarioLibrary, waryScenario } from '../../../core/scenario-library.ts'
import type { Bindings } from '../bindings.ts'

/** The scenario of worlds that name none, and how it was chosen. */
export interface Usual {
  library: ScenarioLibrary
  scenario: string
  parameters?: GivenParameters
  record: boolean
  /** Somebody chose it. */
  wins: boolean
}

/** Throws where the variables name no scenario, or none with such parameters. */
export function usualOf(
  { MFANO_SCENARIO, MFANO_SET, MFANO_WARY, MFANO_RECORD }: Bindings,
  library: ScenarioLibrary,
): Usual {
  const scenario = MFANO_SCENARIO || 'default'
  const wary = MFANO_WARY ? Number(MFANO_WARY) : undefined
  const parameters = MFANO_SET ? Object.fromEntries(MFANO_SET.trim().split('\n').map(nameAndValue)) : undefined
  const find: ScenarioLibrary['find'] = (name, given) => {
    const plain = library.find(name, given)
    return name === scenario ? waryScenario(library, plain, wary) : plain
  }
  return {
    library: { ...library, find },
    scenario,
    ...(parameters && { parameters }),
    record: MFANO_RECORD === 'true' || MFANO_RECORD === '1',
    wins: scenario !== 'default' || parameters !== undefined || wary !== undefined,
  }
}
