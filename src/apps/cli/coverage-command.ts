import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { type Coverage, type Dimension, dimensions, mergeCoverage, tooLittle } from '../../inspect/coverage.ts'
import { coverageDocument } from '../../inspect/report-lists.ts'
import { type Arguments, CLEAN, PROBLEMS, UsageError } from './command.ts'
import { operationCommand } from './declared-commands.ts'
import { evidenceFlag, keepEvidence } from './judges/evidence-record.ts'
import { documentText, writeReports } from './judges/judging.ts'
import type { Output } from './output.ts'
import { reportFileFlags } from './typed-values.ts'
import { count, hint } from './words.ts'
import { jsonFilesAt, writeNamed } from './write-file.ts'

interface Answer {
  coverage: Coverage
  tooLittle: string[]
}

export const coverageCommand = operationCommand<'run.coverage', Answer>('run.coverage', {
  words: '[FILE…]',
  names: ['files'],
  about: 'With files or folders it merges earlier reports and asks no server.',
  flags: [
    {
      name: 'min',
      value: 'dimension=percent',
      help: `Exit with 1 below this coverage. Repeatable. Dimensions: ${dimensions.join(', ')}.`,
      expected: 'a dimension, = and a percentage, such as edges=80',
      many: true,
    },
    {
      name: 'run',
      field: 'run|format',
      value: 'run',
      help: 'Only what a run exercised: its name, its number, or last.',
      expected: 'a run',
    },
    { name: 'all', help: 'List every gap.' },
    { name: 'out', value: 'file', help: 'Also write the report to a file, to merge later.', names: 'files' },
    ...reportFileFlags,
    evidenceFlag,
  ],
  examples: [
    'mfano coverage --min edges=80',
    'mfano coverage --world payday --out a.json',
    'mfano coverage coverage/ --min operations=50',
  ],
  ask: async ({ server: { control }, given }) => {
    const least = readLeast(given)
    const coverage =
      given.words.length === 0
        ? await control('GET', '/coverage', { query: { run: given.get('run') } })
        : mergeCoverage(given.words.flatMap(jsonFilesAt).map(readReport))
    const out = given.get('out')
    if (out !== undefined) writeNamed(out, `${JSON.stringify(coverage, null, 2)}\n`)
    const missing = tooLittle(coverage, least)
    const report = coverageDocument(coverage, { title: titleOf(given), tooLittle: missing })
    keepEvidence(given, report)
    await writeReports(report, given)
    return { coverage, tooLittle: missing }
  },
  show: printCoverage,
  verdict: ({ tooLittle: missing }) => (missing.length > 0 ? PROBLEMS : CLEAN),
})

function readLeast(given: Pick<Arguments, 'all'>): Partial<Record<Dimension, number>> {
  return Object.fromEntries(
    given.all('min').map((text) => {
      const [, name, percent] = /^([a-z]+)=(\d{1,3})%?$/.exec(text) ?? []
      if (!dimensions.some((dimension) => dimension === name) || Number(percent) > 100)
        throw new UsageError(
          `--min: expected one of ${dimensions.join(', ')}, = and 0 to 100, such as edges=80; got ${JSON.stringify(text)}.`,
        )
      return [name, Number(percent)]
    }),
  )
}

function readReport(file: string): Coverage {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    if (dimensions.every((dimension) => Array.isArray(report[dimension]?.hit))) return report
    throw new Error('it is no report of mfano coverage')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${whyUnreadable(error)}.`)
  }
}

function printCoverage({ coverage, tooLittle }: Answer, output: Output, given: Arguments): string {
  const report = coverageDocument(coverage, { title: titleOf(given), tooLittle })
  if (given.has('all')) return documentText(report, output)
  const gaps = dimensions.flatMap((dimension) => coverage[dimension].gaps)
  if (gaps.length === 0) return documentText({ ...report, sections: [] }, output)
  const rest = `\n${count(gaps.length, 'gap')}, each by its name: ${hint('coverage --all', given)}\n`
  return documentText({ ...report, sections: [] }, output) + rest
}

function titleOf({ words }: Arguments): string {
  return words.join(' ') || 'all that was run'
}
