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

/**
 * By dimension; and which fields of answers and callbacks are proven to be read, where mutants were run: no world knows
 * that by itself.
 */
export type Coverage = Record<Dimension, Covered> & { read?: Covered }

/** The dimensions that a report has. */
export function dimensionsOf({ read }: Coverage): readonly (Dimension | 'read')[] {
  return read ? [...dimensions, 'read'] : dimensions
}

/** What a report says of a dimension; nothing is covered of one that it has not. */
export function coveredIn(coverage: Coverage, dimension: Dimension | 'read'): Covered {
  return coverage[dimension] ?? { hit: [], gaps: [], percent: 0 }
}

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
  const read = reports.flatMap((report) => report.read ?? [])
  return {
    ...byDimension((dimension) => merged(reports.map((report) => report[dimension]))),
    ...(read.length > 0 && { read: merged(read) }),
  }
}

function merged(parts: readonly Covered[]): Covered {
  const hit = new Set(parts.flatMap((part) => part.hit))
  const gaps = new Map(parts.flatMap((part) => part.gaps).map((gap) => [gap.name, gap]))
  return covered(
    [...hit],
    [...gaps.values()].filter(({ name }) => !hit.has(name)),
  )
}

/** Which dimensions are covered by less than is wanted: `edges: 62% of at least 80%`. */
export function tooLittle(coverage: Coverage, least: Partial<Record<Dimension | 'read', number>>): string[] {
  return ([...dimensions, 'read'] as const).flatMap((dimension) => {
    const wanted = least[dimension]
    const { percent } = coveredIn(coverage, dimension)
    return wanted !== undefined && percent < wanted ? [`${dimension}: ${percent}%, wanted at least ${wanted}%`] : []
  })
}

/** Of a hundred, of what was hit and what was not. */
export function covered(hit: string[], gaps: Gap[]): Covered {
  const count = hit.length + gaps.length
  return { hit, gaps, percent: count === 0 ? 100 : Math.floor((hit.length / count) * 100) }
}

export function byDimension<T>(make: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(dimensions.map((dimension) => [dimension, make(dimension)])) as Record<Dimension, T>
}
