/** Reads the scenario and recording of new worlds from a deployment's variables. */
import type { GivenParameters } from '../../../core/model/given-parameters.ts'
import { nameAndValue } from '../../../core/model/name-value.ts'
import type { Bindings } from '../bindings.ts'

export interface UsualVariables {
  scenario: string
  parameters?: GivenParameters
  record: boolean
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
