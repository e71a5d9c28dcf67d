/** Holds what a merchant of this library believes against the ledger, at the end of each story. */
import { expect } from 'vitest'
import type { TestWorld } from '../support/harness.ts'

/** What a merchant believes, and what became of its money. */
interface Believed {
  books: object[]
  /** The damage that its money shows, in sentences; empty when it has none. */
  lost: readonly string[]
  careful: boolean
}

/** Nobody but the scenario is to blame for these, so they are told as advice; they are damage all the same. */
const NOT_ITS_FAULT = ['executed_twice', 'unasked_unknown']

/** A careful edition has no findings, and whatever a naive one lost is found. */
export async function expectFound(world: TestWorld, { books, lost, careful }: Believed): Promise<void> {
  const { findings, warnings } = await world.control('POST', '/reconcile', books)
  const found = [...findings, ...warnings.filter(({ code }: { code: string }) => NOT_ITS_FAULT.includes(code))]
  if (careful) expect(findings, 'a careful edition is right').toEqual([])
  if (lost.length > 0) expect(found, `nothing was found of this: ${lost.join(' ')}`).not.toEqual([])
}
