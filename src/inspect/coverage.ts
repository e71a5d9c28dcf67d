/** Coverage as data: what a suite exercised, what it did not, and how reports merge. Pure. */
import * as z from 'zod'
import { recordFor } from '../core/model/must.ts'
import { type AnswerOf, shape } from './view.ts'

export const dimensions = [
  'operations',
  'fields',
  'refusals',
  'ends',
  'edges',
  'callbacks',
  'tokens',
  'assumptions',
] as const
export type Dimension = (typeof dimensions)[number]

export const coveredShape = shape('Covered', () =>
  z.object({
    hit: z.array(z.string()),
    gaps: z.array(z.string()),
    percent: z.number().describe('From 0 to 100; 100 where there is nothing to cover.'),
  }),
)

export type Covered = AnswerOf<typeof coveredShape>

export const coverageShape = shape(null, () => z.object(recordFor(dimensions.toSorted(), () => coveredShape())))
export type Coverage = AnswerOf<typeof coverageShape>

export type CoverageNames = Record<Dimension, ReadonlySet<string>>

export function coverageOf(all: CoverageNames, met: CoverageNames): Coverage {
  return recordFor(dimensions, (dimension) => {
    const names = [...all[dimension]]
    const isMet = (name: string) => met[dimension].has(name)
    return covered(
      names.filter(isMet),
      names.filter((name) => !isMet(name)),
    )
  })
}

/** For suites of several worlds and processes: what any report has covered is covered. */
export function mergeCoverage(reports: readonly Coverage[]): Coverage {
  return recordFor(dimensions, (dimension) => merged(reports.map((report) => report[dimension])))
}

function merged(parts: readonly Covered[]): Covered {
  const hit = new Set(parts.flatMap((part) => part.hit))
  const gaps = new Set(parts.flatMap((part) => part.gaps))
  return covered(
    [...hit],
    [...gaps].filter((name) => !hit.has(name)),
  )
}

export function tooLittle(coverage: Coverage, least: Partial<Record<Dimension, number>>): string[] {
  return dimensions.flatMap((dimension) => {
    const wanted = least[dimension]
    const { percent } = coverage[dimension]
    return wanted !== undefined && percent < wanted ? [`${dimension}: ${percent}%, wanted at least ${wanted}%`] : []
  })
}

function covered(hit: string[], gaps: string[]): Covered {
  const count = hit.length + gaps.length
  return { hit, gaps, percent: count === 0 ? 100 : Math.floor((hit.length / count) * 100) }
}
