/** What is printed of a comparison: each operation that differs, and what to choose. */
import { counted } from '../../core/model/counted.ts'
import type { ReportCase, ReportDocument, ReportPoint } from '../../core/model/report-document.ts'
import {
  type CompareReport,
  differenceSentence,
  type OperationCompared,
  type TrafficDifference,
} from './compare-report.ts'

/** `file`: where the traffic was recorded. */
export function compareDocument(report: CompareReport, file: string): ReportDocument<CompareReport> {
  const { exchanges, compared, notCompared, operations, patch } = report
  const differing = operations.filter(({ differences }) => differences.length > 0)
  const same = operations.filter(({ differences }) => differences.length === 0)
  const sameNames = same.map((one) => `${one.operation} (${one.compared})`).join(', ')
  return {
    by: 'mfano compare',
    title: file,
    verdict: verdictOf(compared, differing.length),
    lead: [`${compared} of ${counted(exchanges, 'exchange')} compared.`],
    sections: [
      { name: 'differences', title: 'What differs', points: differing.map(operationPoint), isOpen: true },
      { name: 'same', title: 'The same', points: same.length === 0 ? [] : [{ text: sameNames }] },
      {
        name: 'not-compared',
        title: 'Not compared',
        points: notCompared.map(({ why, times }) => ({ text: `${times}: ${why}` })),
      },
      {
        name: 'patch',
        title: 'For your scenario',
        points: patch === '' ? [] : [{ text: 'Add to it:', exact: patch.trimEnd().split('\n') }],
      },
    ],
    suites: [{ name: `mfano compare: ${file}`, cases: operations.map(caseOf) }],
    data: report,
  }
}

function verdictOf(compared: number, differing: number): ReportDocument['verdict'] {
  if (compared === 0) return { mood: 'open', text: 'Nothing could be compared.' }
  if (differing === 0) return { mood: 'good', text: 'Nothing differs.' }
  return { mood: 'bad', text: `${counted(differing, 'operation')} ${differing === 1 ? 'differs' : 'differ'}.` }
}

function operationPoint({ operation, method, path, compared, differences }: OperationCompared): ReportPoint {
  const name = operation.startsWith(method) ? operation : `${operation}  ${method} ${path}`
  return { text: `${name}  ${counted(compared, 'exchange')}`, more: differences.map(differencePoint) }
}

function differencePoint(one: TrafficDifference): ReportPoint {
  const { settledBy, times } = one
  return {
    text: `${differenceSentence(one)}${times > 1 ? ` (${times} times)` : ''}`,
    ...(settledBy && { more: [{ text: `settled by ${settledBy.assumption}: ${settledBy.alternative}` }] }),
  }
}

function caseOf({ operation, differences }: OperationCompared): ReportCase {
  return {
    name: operation,
    failures: differences.map((one) => ({ type: one.sort, message: differenceSentence(one) })),
  }
}
