import { counted } from '../../core/model/text.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import { judgedDocument, texts } from '../subject/report.ts'
import type { DifferenceSort } from '../values/differences.ts'

export interface TrafficDifference {
  sort: DifferenceSort | 'status' | 'media-type' | 'unknown-operation'
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

function differenceSentence({ sort, path, recorded, here }: TrafficDifference): string {
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

export function compareDocument(report: CompareReport, file: string): ReportDocument<CompareReport> {
  const { exchanges, compared, ownTokens, notCompared, operations } = report
  const same = operations.filter(({ differences }) => differences.length === 0)
  const differing = operations.filter(({ differences }) => differences.length > 0)
  const differ = `${counted(differing.length, 'operation')} ${differing.length === 1 ? 'differs' : 'differ'}.`
  return judgedDocument({
    ...{ by: 'mfano compare', title: file, data: report },
    open: compared === 0 ? 'Nothing could be compared.' : undefined,
    bad: differing.length > 0 ? differ : undefined,
    good: 'Nothing differs.',
    lead: [
      `${compared} of ${counted(exchanges, 'exchange')} compared.`,
      ...(ownTokens > 0
        ? [`${counted(ownTokens, 'request')} without Authorization: mfano added a token of its own.`]
        : []),
    ],
    sections: [
      { title: 'Differences', points: differing.map(operationPoint), isOpen: true },
      texts('The same', same.length === 0 ? [] : [same.map((one) => `${one.operation} (${one.compared})`).join(', ')]),
      texts(
        'Not compared',
        notCompared.map(({ why, times }) => `${times}: ${why}`),
      ),
    ],
    runs: operations.map(operationRun),
  })
}

function operationPoint({ operation, method, path, compared, differences }: OperationCompared): ReportPoint {
  const name = operation.startsWith(method) ? operation : `${operation}  ${method} ${path}`
  const more = differences.map((one) => ({
    text: `${differenceSentence(one)}${one.times > 1 ? ` (${one.times} times)` : ''}`,
  }))
  return { text: `${name}  ${counted(compared, 'exchange')}`, more }
}

function operationRun({ operation, differences }: OperationCompared): ReportRun {
  const failures = differences.map((one) => ({ type: one.sort, message: differenceSentence(one) }))
  const isSame = failures.length === 0
  return { mood: isSame ? 'good' : 'bad', word: isSame ? 'the same' : 'differs', name: operation, failures }
}
