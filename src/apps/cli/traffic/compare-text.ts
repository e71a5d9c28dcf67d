/** What a person reads of a comparison: each operation that differs, and what to choose. */
import { oneLine } from '../../../core/model/one-line.ts'
import {
  type CompareReport,
  differenceSentence,
  type OperationCompared,
} from '../../../judge/compare/compare-report.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

export function compareText(report: CompareReport, { paint }: Output): string {
  const { exchanges, compared, notCompared, operations, patch } = report
  const differing = operations.filter(({ differences }) => differences.length > 0)
  const same = operations.filter(({ differences }) => differences.length === 0)
  const verdict =
    compared === 0
      ? paint('yellow', 'Nothing could be compared.')
      : differing.length === 0
        ? paint('green', 'Nothing differs.')
        : paint('red', `${count(differing.length, 'operation')} ${differing.length === 1 ? 'differs' : 'differ'}.`)
  return [
    `${verdict} ${compared} of ${count(exchanges, 'exchange')} compared.\n`,
    ...differing.map((one) => operationText(one, paint)),
    section(
      'The same',
      same.length === 0 ? '' : `${same.map(({ operation, compared }) => `${operation} (${compared})`).join(', ')}\n`,
      paint,
    ),
    section('Not compared', notCompared.map(({ why, times }) => `${times}: ${why}\n`).join(''), paint),
    section('For your scenario', patch, paint),
  ].join('')
}

function operationText(
  { operation, method, path, compared, differences }: OperationCompared,
  paint: Output['paint'],
): string {
  const title = operation.startsWith(method) ? operation : `${operation}  ${method} ${path}`
  const lines = differences.map((one) => {
    const settled = one.settledBy
      ? paint('green', `\n      settled by ${one.settledBy.assumption}: ${one.settledBy.alternative}`)
      : ''
    return `  ${oneLine(differenceSentence(one))}${one.times > 1 ? ` (${one.times} times)` : ''}${settled}\n`
  })
  return `\n${paint('bold', title)}  ${count(compared, 'exchange')}\n${lines.join('')}`
}
