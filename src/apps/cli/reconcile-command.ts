import type { Verdict } from '../../client/control.ts'
import { oneLine } from '../../core/model/text.ts'
import type { FindingShown } from '../../inspect/finding.ts'
import { BooksUnreadable, fetchBooks } from '../../judge/fetch-books.ts'
import { type Arguments, CLEAN, CommandFailed, PROBLEMS, type TopCommand, USAGE } from './command.ts'
import { operationCommand } from './declared-commands.ts'
import type { Output } from './output.ts'
import { failOnFlag } from './typed-values.ts'
import { count, section } from './words.ts'

const inner = operationCommand<'books.compare', Verdict & { failed: boolean }>('books.compare', {
  exits: { 0: 'no findings', 1: 'findings', 2: 'the books could not be judged' },
  flags: [
    {
      name: 'books',
      value: 'url|file|-',
      help: "The app's books: a JSON array or CSV. `-` reads standard input.",
      expected: 'the address or the file of the books',
      names: 'files',
    },
    failOnFlag,
  ],
  ask: async ({ given, send }) => {
    const place = given.get('books')
    const verdict = await send(place === undefined ? {} : { books: await fetchBooks(place) })
    const counting = verdict.findings.length + (given.get('fail-on') === 'warning' ? verdict.warnings.length : 0)
    return { ...verdict, failed: counting > 0 }
  },
  show: (verdict, output) => printVerdict(verdict, output),
  verdict: ({ failed }) => (failed ? PROBLEMS : CLEAN),
})

/** Every other failure exits with 2, so that 1 always means that the books are wrong. */
export const reconcileCommand: TopCommand = {
  ...inner,
  run: async (given: Arguments, output: Output) => {
    try {
      return await inner.run(given, output)
    } catch (error) {
      if (error instanceof BooksUnreadable)
        throw new CommandFailed(error.message, '', { code: 'BOOKS_UNREADABLE', exitCode: USAGE })
      if (error instanceof CommandFailed)
        throw new CommandFailed(error.message, error.hint, {
          ...{ code: error.code, exitCode: USAGE, operations: error.operations },
        })
      throw error
    }
  },
}

function printVerdict({ findings, warnings, unmatched, compared, unreadFields }: Verdict, { paint }: Output): string {
  const { lines, payments, matched } = compared
  const printFindings = (list: FindingShown[], style: 'red' | 'yellow') =>
    list
      .map(({ code, text, todo, explain }) => {
        const more = [todo, explain && paint('dim', explain.command)].filter((one) => one !== undefined)
        return `${[`${paint(style, code)}: ${oneLine(text)}`, ...more].join('\n  ')}\n`
      })
      .join('')
  const verdict =
    findings.length === 0 ? paint('green', 'No findings.') : paint('red', `${count(findings.length, 'finding')}.`)
  const alone = [
    unmatched.lines.length > 0 &&
      `no payment for ${count(unmatched.lines.length, 'line')} (${unmatched.lines.join(', ')})`,
    unmatched.payments.length > 0 && `no line for ${count(unmatched.payments.length, 'payment')}`,
  ].filter((one) => one !== false)
  return [
    `${verdict} ${count(lines, 'line')} of the books, ${count(payments, 'payment')}, ${matched} matched${alone.length > 0 ? `; ${alone.join(', ')}` : ''}.\n`,
    unreadFields.length > 0 ? `Fields that were not compared: ${oneLine(unreadFields.join(', '))}.\n` : '',
    section('Findings', printFindings(findings, 'red'), paint),
    section('Advice', printFindings(warnings, 'yellow'), paint),
  ].join('')
}
