/** Prints a comparison: each operation that differs. */
import { counted } from '../../core/model/counted.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../core/model/report-document.ts'
import { judgedDocument, texts } from '../subject/judged-document.ts'
import { type CompareReport, differenceSentence, type OperationCompared } from './compare-report.ts'

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
