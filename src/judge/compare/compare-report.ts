/** The result of comparing real traffic with mfano. */
import type { DifferenceSort } from '../values/differences.ts'

export interface TrafficDifference {
  sort: DifferenceSort | 'status' | 'media-type' | 'order' | 'unknown-operation'
  path: string
  recorded: string
  here: string
  times: number
}

export interface OperationCompared {
  /** Operation id, or `GET /path` if mfano does not know it. */
  operation: string
  method: string
  path: string
  compared: number
  differences: TrafficDifference[]
}

export interface CompareReport {
  exchanges: number
  compared: number
  /** Requests without `Authorization`, which were sent with a token of mfano. */
  ownTokens: number
  notCompared: { why: string; times: number }[]
  operations: OperationCompared[]
}

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
