/** What a new world may be told. */
import type { GivenParameters } from './given-parameters.ts'
import type { ClockMode, InstantUs } from './time.ts'

/** An instant; as text, which may name no zone, in that of the scenario. Plain data: the world may be made elsewhere. */
export type Start = InstantUs | string

/** What a new world may be told. */
export interface WorldRequest {
  id?: string | undefined
  /** A shipped name, or the text of a scenario. */
  scenario?: string | undefined
  /** Values for the parameters of that scenario, or of the usual one when none is named. */
  parameters?: GivenParameters | undefined
  seed?: number | undefined
  /** The seed decides every assumption that the scenario does not. */
  assumptions?: 'drawn' | undefined
  /** Whether what comes from outside is noted, so that it can be repeated. */
  record?: boolean | undefined
  /** When it begins; a time that names no zone is in that of the scenario. */
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined; startUs?: Start | undefined } | undefined
}

/** What a fork may be told. The seed and the time are those of what it is made from. */
export interface ForkRequest extends Pick<WorldRequest, 'id' | 'scenario' | 'parameters' | 'record'> {
  /** A world's id, a snapshot's name, or both as `world/name`. */
  from: string
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
}
