/** How worlds of a deployment begin, by its variables. */
import type { GivenParameters } from '../../../core/model/given-parameters.ts'
import { nameAndValue } from '../../../core/model/name-value.ts'
import type { Bindings } from '../bindings.ts'

/** The scenario of worlds that name none, and how it was chosen. */
export interface UsualVariables {
  scenario: string
  parameters?: GivenParameters
  record: boolean
  /** Somebody chose it. */
  wins: boolean
}

export function usualOf({ MFANO_SCENARIO, MFANO_SET, MFANO_RECORD }: Bindings): UsualVariables {
  const scenario = MFANO_SCENARIO || 'default'
  const parameters = MFANO_SET ? Object.fromEntries(MFANO_SET.trim().split('\n').map(nameAndValue)) : undefined
  return {
    scenario,
    ...(parameters && { parameters }),
    record: MFANO_RECORD === 'true' || MFANO_RECORD === '1',
    wins: scenario !== 'default' || parameters !== undefined,
  }
}
