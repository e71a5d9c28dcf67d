/** What a suite exercised of what there is, and what it did not: data, and how several reports become one. Pure. */

/** What is covered, each by names of its own. */
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

/** Something that was not exercised, and what leads there. */
export interface Gap {
  name: string
  /** The shipped scenario that reaches it. */
  scenario?: string
  /** What to type; left out where only the app itself can get there, by asking for it. */
  command?: string
}

export interface Covered {
  hit: string[]
  gaps: Gap[]
  /** Of a hundred; 100 where there is nothing to cover. */
  percent: number
}

/** By dimension. */
export type Coverage = Record<Dimension, Covered>

/** Names by dimension. */
export type Names = Record<Dimension, ReadonlySet<string>>

/** Holds what happened against what there is. `reach`: what leads to a gap. */
export function coverageOf(
  all: Names,
  met: Names,
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

/** Several reports as one: what any of them hit is covered. For suites of several worlds and processes. */
export function mergeCoverage(reports: readonly Coverage[]): Coverage {
  return byDimension((dimension) => {
    const parts = reports.map((report) => report[dimension])
    const hit = new Set(parts.flatMap((part) => part.hit))
    const gaps = new Map(parts.flatMap((part) => part.gaps).map((gap) => [gap.name, gap]))
    return covered(
      [...hit],
      [...gaps.values()].filter(({ name }) => !hit.has(name)),
    )
  })
}

/** Which dimensions are covered by less than is wanted: `edges: 62% of at least 80%`. */
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
  return Object.fromEntries(dimensions.map((dimension) => [dimension, make(dimension)])) as Record<Dimension, T>
}
