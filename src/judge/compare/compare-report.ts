/** What a comparison of real traffic with mfano came to. */
import type { DifferenceSort } from '../values/differences.ts'

/** An alternative that makes differences go. */
export interface Settling {
  assumption: string
  alternative: string
}

/** A difference of an operation, as often as it was met. */
export interface TrafficDifference {
  /** `status`, `media-type`, `order` and `unknown-operation` besides those of bodies. */
  sort: DifferenceSort | 'status' | 'media-type' | 'order' | 'unknown-operation'
  /** Where in the answer: `data[].status`; empty for the whole. */
  path: string
  /** What the service answered, and what mfano does; as text, without secrets. */
  recorded: string
  here: string
  times: number
  /** The alternative under which it is gone; null where none makes it go. */
  settledBy: Settling | null
}

export interface OperationCompared {
  /** Its id, or `GET /path` where mfano knows none. */
  operation: string
  method: string
  path: string
  /** Exchanges that were compared. */
  compared: number
  differences: TrafficDifference[]
}

export interface CompareReport {
  exchanges: number
  compared: number
  /** Why others were not, and how many. */
  notCompared: { why: string; times: number }[]
  operations: OperationCompared[]
  /** What to choose; all of it together was tried. */
  assumptions: Record<string, string>
  /** That as YAML for a scenario; empty where nothing is to be chosen. */
  patch: string
}

/** One sentence, from the recorded service's side. */
export function differenceSentence({ sort, path, recorded, here }: TrafficDifference): string {
  const at = path === '' ? 'the body' : path
  switch (sort) {
    case 'missing':
      return `${at}: mfano lacks it (${recorded})`
    case 'extra':
      return `${at}: only mfano has it (${here})`
    case 'unknown-operation':
      return `mfano has no such operation (answered ${recorded})`
    default:
      return `${path === '' ? sort : `${path}, ${sort}`}: ${recorded}, here ${here}`
  }
}
