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

export const gapShape = shape('Gap', () =>
  z.object({
    name: z.string(),
    scenario: z.string().describe('The shipped scenario that reaches it.').optional(),
    command: z
      .string()
      .describe('The command to type. Left out where only a request of the app leads there.')
      .optional(),
    operation: z.string().describe('The same as an operation, where it is one.').optional(),
    with: z.record(z.string(), z.unknown()).describe('Its parameters.').optional(),
  }),
)

export type Gap = AnswerOf<typeof gapShape>

export const coveredShape = shape('Covered', () =>
  z.object({
    hit: z.array(z.string()),
    gaps: z.array(gapShape()),
    percent: z.number().describe('From 0 to 100; 100 where there is nothing to cover.'),
  }),
)

export type Covered = AnswerOf<typeof coveredShape>

export const coverageShape = shape(null, () => z.object(recordFor(dimensions.toSorted(), () => coveredShape())))
export type Coverage = AnswerOf<typeof coverageShape>

export type CoverageNames = Record<Dimension, ReadonlySet<string>>

export function coverageOf(
  all: CoverageNames,
  met: CoverageNames,
  reach: (dimension: Dimension, name: string) => Omit<Gap, 'name'> | undefined,
): Coverage {
  return byDimension((dimension) => {
    const names = [...all[dimension]]
    const gaps = names.filter((name) => !met[dimension].has(name)).map((name) => ({ name, ...reach(dimension, name) }))
    return covered(
      names.filter((name) => met[dimension].has(name)),
      gaps,
    )
  })
}

/** For suites of several worlds and processes: what any report has covered is covered. */
export function mergeCoverage(reports: readonly Coverage[]): Coverage {
  return byDimension((dimension) => merged(reports.map((report) => report[dimension])))
}

function merged(parts: readonly Covered[]): Covered {
  const hit = new Set(parts.flatMap((part) => part.hit))
  const gaps = new Map(parts.flatMap((part) => part.gaps).map((gap) => [gap.name, gap]))
  return covered(
    [...hit],
    [...gaps.values()].filter(({ name }) => !hit.has(name)),
  )
}

export function tooLittle(coverage: Coverage, least: Partial<Record<Dimension, number>>): string[] {
  return dimensions.flatMap((dimension) => {
    const wanted = least[dimension]
    const { percent } = coverage[dimension]
    return wanted !== undefined && percent < wanted ? [`${dimension}: ${percent}%, wanted at least ${wanted}%`] : []
  })
}

function covered(hit: string[], gaps: Gap[]): Covered {
  const count = hit.length + gaps.length
  return { hit, gaps, percent: count === 0 ? 100 : Math.floor((hit.length / count) * 100) }
}

export function byDimension<T>(make: (dimension: Dimension) => T): Record<Dimension, T> {
  return recordFor(dimensions, make)
}
