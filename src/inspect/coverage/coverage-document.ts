/** Prints coverage: each dimension with its gaps, and the commands that lead to them. */
import { counted } from '../../core/model/counted.ts'
import type { ReportDocument, ReportMood, ReportSection } from '../../core/model/report-document.ts'
import { type Coverage, coveredIn, dimensionsOf } from '../coverage.ts'

const GOOD = 80
const FAIR = 40

/** `tooLittle`: what is less than was wanted, in words. `title`: the world, or the files. */
export function coverageDocument(
  coverage: Coverage,
  { title, tooLittle }: { title: string; tooLittle: readonly string[] },
): ReportDocument<Coverage> {
  const parts = dimensionsOf(coverage).map((dimension) => ({ dimension, ...coveredIn(coverage, dimension) }))
  const gaps = parts.flatMap((part) => part.gaps)
  const byCommand = Map.groupBy(
    gaps.filter(({ command }) => command !== undefined),
    ({ command }) => command,
  )
  return {
    by: 'mfano coverage',
    title,
    verdict: {
      mood: tooLittle.length > 0 ? 'bad' : 'good',
      text: parts.map(({ dimension, percent }) => `${dimension} ${percent}%`).join(', '),
    },
    lead: tooLittle,
    stories: [...byCommand]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, STORIES)
      .map(([command = '', led]) => ({
        title: `${led.length} gaps by one command`,
        text: led
          .slice(0, SUCH)
          .map(({ name }) => name)
          .join(', '),
        command,
      })),
    scorecard: {
      title: 'Scorecard',
      columns: ['covered', '%', 'hit', 'of'],
      rows: parts.map(({ dimension, percent, hit, gaps: left }) => [
        { mood: moodOf(percent), word: dimension },
        ...[percent, hit.length, hit.length + left.length],
      ]),
    },
    sections: parts.map(
      ({ dimension, gaps: left }): ReportSection => ({
        title: `Gaps: ${dimension}`,
        columns: ['gap', 'command'],
        rows: left.map(({ name, command = null }) => [name, command]),
      }),
    ),
    runs: parts.map(({ dimension, gaps: left }) => {
      const why = tooLittle.find((one) => one.startsWith(`${dimension}:`))
      return {
        mood: why !== undefined ? 'bad' : left.length > 0 ? 'none' : 'good',
        word: left.length > 0 ? 'not fully exercised' : 'exercised',
        name: left.length > 0 ? `${dimension} (${counted(left.length, 'gap')})` : dimension,
        ...(why !== undefined && { why }),
      }
    }),
    data: coverage,
  }
}

const STORIES = 3
const SUCH = 5

function moodOf(percent: number): ReportMood {
  return percent >= GOOD ? 'good' : percent >= FAIR ? 'open' : 'bad'
}
