/** Reads in a world what a run under a scenario left there: its coverage, what fired, and the stories of payments. */
import type { Control, ControlAnswer } from '../../client/control.ts'
import type { Sequence } from '../../core/model/report-document.ts'
import { type Coverage, mergeCoverage } from '../../inspect/coverage.ts'
import { sequenceOfPayments } from '../../inspect/explain-payment.ts'
import type { AppFinding } from '../subject/outcome.ts'
import { withWorldsBelow } from '../subject/own-worlds.ts'

const PAYMENTS_TOLD = 3

export interface WorldLeft {
  coverage: Coverage
  /** Rules and faults of the scenario that never fired. */
  unmet: string[]
  /** Something of the scenario's own fired, or it has only settings. */
  hasFired: boolean
  /** Of the first finding of each code. Others look alike, and nobody reads them all. */
  sequences: Record<string, Sequence>
}

export async function leftIn(control: Control, findings: readonly AppFinding[]): Promise<WorldLeft> {
  const all = await withWorldsBelow(control)
  const hits = await Promise.all(all.map((one) => one('GET', '/scenario/hits')))
  const unfired = hits.map(({ neverFired }) => neverFired.map(({ rule }) => rule))
  const sequences: WorldLeft['sequences'] = {}
  for (const [code, [first]] of Map.groupBy(findings, (one) => one.code)) {
    const sequence = first && (await sequenceOf(control, first))
    if (sequence) sequences[code] = sequence
  }
  return {
    coverage: mergeCoverage(await Promise.all(all.map((one) => one('GET', '/coverage')))),
    unmet: unfired.reduce((left, more) => left.filter((rule) => more.includes(rule))),
    hasFired: hits.some(hasFired),
    sequences,
  }
}

async function sequenceOf(control: Control, { requestId, others = [] }: AppFinding): Promise<Sequence | undefined> {
  const ids = [...others, requestId].filter((id) => id !== undefined).slice(0, PAYMENTS_TOLD)
  const told = await Promise.all(
    ids.map((id) => control('GET', '/payments/:id/explain', { path: { id } }).catch(() => undefined)),
  )
  const known = told.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : sequenceOfPayments(known)
}

function hasFired({ rules, faults, rails, neverFired }: ControlAnswer<'GET', '/scenario/hits'>): boolean {
  const own = [...rules, ...faults, ...rails].filter(({ inherited }) => !inherited)
  return own.length === 0 || neverFired.length < own.length
}
