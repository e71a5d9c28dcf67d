/** `mfano coverage`: what a suite exercised, of one world or of many together, and what leads to the rest. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Coverage,
  coveredIn,
  type Dimension,
  dimensions,
  dimensionsOf,
  mergeCoverage,
  tooLittle,
} from '../coverage/coverage.ts'
import { oneLine } from '../model/one-line.ts'
import { type Arguments, CLEAN, PROBLEMS, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { serverCommand } from './server.ts'
import { table } from './table.ts'
import { section } from './words.ts'

/** What `--min` knows. */
const named = [...dimensions, 'read'] as const
/** So many gaps of a dimension are printed for people; `--json` has all. */
const PRINTED = 8

interface Answer {
  coverage: Coverage
  /** Dimensions that are covered by less than was wanted. */
  tooLittle: string[]
}

export const coverageCommand = serverCommand<Answer>({
  name: 'coverage',
  words: '[FILE…]',
  count: [0, 1000],
  names: ['files'],
  summary:
    'Says what was exercised of operations, fields, refusals, ends, lifecycle edges, callback outcomes, tokens and assumptions, and which scenario leads to each gap. With files or folders: those reports as one, without asking a server.',
  flags: [
    {
      name: 'min',
      value: 'dimension=percent',
      help: `Exit code 1 where less is covered; may be repeated. Dimensions: ${named.join(', ')}; read is what mfano mutants --coverage proved.`,
      expected: 'a dimension, = and a percentage, such as edges=80',
      many: true,
    },
    { name: 'out', value: 'file', help: 'Write the report to a file too, for a later merge.', names: 'files' },
  ],
  examples: [
    'mfano coverage --min edges=80',
    'mfano coverage --world payday --out a.json',
    'mfano coverage coverage/ --min operations=50',
  ],
  ask: async ({ control }, given) => {
    const least = readLeast(given)
    const coverage =
      given.words.length === 0 ? await control('GET', '/coverage') : mergeCoverage(given.words.flatMap(reportsIn))
    const out = given.get('out')
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(coverage, null, 2)}\n`)
    return { coverage, tooLittle: tooLittle(coverage, least) }
  },
  show: shown,
  verdict: ({ tooLittle: missing }) => (missing.length > 0 ? PROBLEMS : CLEAN),
})

/** `--min edges=80`, by dimension. */
export function readLeast(given: Pick<Arguments, 'all'>): Partial<Record<Dimension | 'read', number>> {
  return Object.fromEntries(
    given.all('min').map((text) => {
      const [, name, percent] = /^([a-z]+)=(\d{1,3})%?$/.exec(text) ?? []
      if (!named.some((dimension) => dimension === name) || Number(percent) > 100)
        throw new UsageError(
          `--min: expected one of ${named.join(', ')}, = and 0 to 100, such as edges=80; got ${JSON.stringify(text)}.`,
        )
      return [name, Number(percent)]
    }),
  )
}

/** The reports of a file, or of every JSON file in a folder. */
function reportsIn(path: string): Coverage[] {
  try {
    const files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(path, name))
      : [path]
    return files.map((file) => {
      const report = JSON.parse(readFileSync(file, 'utf8'))
      if (dimensions.every((dimension) => Array.isArray(report[dimension]?.hit))) return report
      throw new Error(`${file} is no report of mfano coverage`)
    })
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`)
  }
}

function shown({ coverage, tooLittle: missing }: Answer, output: Output): string {
  const { paint } = output
  const overview = table(
    dimensionsOf(coverage).map((dimension) => ({ dimension, ...coveredIn(coverage, dimension) })),
    [
      { title: 'covered', of: ({ dimension }) => dimension },
      { title: '%', of: ({ percent }) => percent, right: true },
      { title: 'hit', of: ({ hit }) => hit.length, right: true },
      { title: 'of', of: ({ hit, gaps }) => hit.length + gaps.length, right: true },
    ],
    output,
  )
  const gaps = dimensionsOf(coverage).map((dimension) => {
    const { gaps: all } = coveredIn(coverage, dimension)
    // Those that a command leads to are of most use.
    const some = all
      .toSorted((a, b) => Number(b.command !== undefined) - Number(a.command !== undefined))
      .slice(0, PRINTED)
    const rest = all.length - some.length
    const lines = some.map(({ name, command }) => `  ${oneLine(name)}${command ? `  ${paint('dim', command)}` : ''}\n`)
    return section(`Gaps: ${dimension}`, lines.join('') + (rest > 0 ? `  and ${rest} more\n` : ''), paint)
  })
  const verdict = missing.length === 0 ? '' : `\n${paint('red', missing.join('\n'))}\n`
  return [overview, ...gaps, verdict].join('')
}
