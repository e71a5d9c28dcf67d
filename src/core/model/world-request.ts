/** Settings of a new world. */
import type { GivenParameters } from './given-parameters.ts'
import type { ClockMode, InstantUs } from './time.ts'

export type Start = InstantUs | string

export interface WorldRequest {
  id?: string | undefined
  scenario?: string | undefined
  parameters?: GivenParameters | undefined
  seed?: number | undefined
  /** The seed decides every assumption that the scenario does not. */
  assumptions?: 'drawn' | undefined
  /** Records what comes from outside, so that it can be replayed. */
  record?: boolean | undefined
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined; startUs?: Start | undefined } | undefined
}

export interface ForkRequest extends Pick<WorldRequest, 'id' | 'scenario' | 'parameters' | 'record'> {
  from: string
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
}
