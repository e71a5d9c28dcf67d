/** A covering array of strength two: few rows that contain every pair of values of two different factors. */
import { must } from '../../core/model/must.ts'

export interface Factor {
  id: string
  values: readonly string[]
}

/** One value per factor, in the order of the factors. */
export type Row = readonly string[]

/**
 * Greedy and deterministic. A row starts with an open pair. Each other factor takes the value that closes most open
 * pairs, or else the one with most open pairs left. So every row closes at least one pair.
 */
export function pairwise(factors: readonly Factor[]): Row[] {
  const open = new OpenPairs(factors)
  const rows: Row[] = []
  for (let next = open.first(); next; next = open.first()) {
    const row = filled(next, factors, open)
    open.close(row)
    rows.push(row.map((value, at) => must(factors[at]?.values[value])))
  }
  return rows
}

type Cell = readonly [factor: number, value: number]

function filled(pair: readonly Cell[], factors: readonly Factor[], open: OpenPairs): number[] {
  const row = new Map<number, number>(pair)
  for (const [factor, { values }] of factors.entries()) {
    if (row.has(factor)) continue
    const cells = [...values.keys()].map((value): Cell => [factor, value])
    const worth = cells.map((cell) => open.among(row, cell) + open.share(cell))
    row.set(factor, worth.indexOf(Math.max(...worth)))
  }
  return [...factors.keys()].map((factor) => must(row.get(factor)))
}

class OpenPairs {
  readonly #pairs = new Map<string, readonly [Cell, Cell]>()
  readonly #left = new Map<string, number>()

  constructor(factors: readonly Factor[]) {
    const cells = factors.flatMap(({ values }, factor) => [...values.keys()].map((value): Cell => [factor, value]))
    for (const one of cells)
      for (const other of cells)
        if (one[0] < other[0]) {
          this.#pairs.set(pairOf(one, other), [one, other])
          this.#count(one, 1)
          this.#count(other, 1)
        }
  }

  first(): readonly [Cell, Cell] | undefined {
    return this.#pairs.values().next().value
  }

  among(row: ReadonlyMap<number, number>, cell: Cell): number {
    return [...row].filter((other) => this.#pairs.has(pairOf(other, cell))).length
  }

  /** A tie-breaker below one that grows with the number of open pairs. */
  share(cell: Cell): number {
    const left = this.#left.get(String(cell)) ?? 0
    return left / (left + 1)
  }

  close(row: readonly number[]): void {
    for (const one of row.entries())
      for (const other of row.entries())
        if (one[0] < other[0] && this.#pairs.delete(pairOf(one, other))) {
          this.#count(one, -1)
          this.#count(other, -1)
        }
  }

  #count(cell: Cell, more: number): void {
    this.#left.set(String(cell), (this.#left.get(String(cell)) ?? 0) + more)
  }
}

function pairOf(one: Cell, other: Cell): string {
  return one[0] < other[0] ? `${one} ${other}` : `${other} ${one}`
}
