/** Prints coverage: each dimension with its gaps, and the commands that lead to them. */
import { openStates, statesOf, step, waitOf } from '../../core/lifecycle.ts'
import { callbackFaults } from '../../core/model/callback-fault.ts'
import type { Kind, Service } from '../../core/model/kind.ts'
import { refusalCodes } from '../../core/model/refusal.ts'
import { counted } from '../../core/model/text.ts'
import { requestOf } from '../../core/response-faults.ts'
import { type Coverage, type CoverageNames, coveredIn, dimensionsOf } from '../coverage.ts'
import type { ReportDocument, ReportMood, ReportSection } from '../report-document.ts'

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
    suites: [
      {
        ...{ name: `mfano coverage: ${title}`, classname: title },
        cases: parts.map(({ dimension, gaps: left }) => {
          const why = tooLittle.find((one) => one.startsWith(`${dimension}:`))
          return {
            mood: why !== undefined ? 'bad' : left.length > 0 ? 'none' : 'good',
            word: left.length > 0 ? 'not fully exercised' : 'exercised',
            name: left.length > 0 ? `${dimension} (${counted(left.length, 'gap')})` : dimension,
            ...(why !== undefined && { why }),
          }
        }),
      },
    ],
    data: coverage,
  }
}

const STORIES = 3
const SUCH = 5

function moodOf(percent: number): ReportMood {
  return percent >= GOOD ? 'good' : percent >= FAIR ? 'open' : 'bad'
}

// Names of everything that can be covered.

const callbackOutcomes: readonly string[] = [
  ...new Set([
    ...['delivered', 'refused', 'unreachable', 'late', 'twice', 'before-answer', 'out-of-order', 'lost'],
    ...['wrong-signature', 'unknown-status', 'unknown-fields'],
    ...Object.values(callbackFaults).flatMap(({ met }) => met?.outcome ?? []),
  ]),
]

/** `refused`: a call came with a token that was no longer valid. */
export const tokenOutcomes = ['issued', 'renewed', 'refused', 'not-issued'] as const
export type TokenOutcome = (typeof tokenOutcomes)[number]

/** Events of operators, which are no behaviour of the service. */
const BY_HAND = ['SUCCEED', 'FAIL', 'REVERSE', 'EXPIRE']

export const fieldName = (operation: string, field: string) => `${operation}.${field}`
export const endName = (kind: string, status: string) => `${kind} ${status}`
export const edgeName = (kind: string, from: string, event: string, to: string) => `${kind} ${from} ${event} ${to}`
export const positionName = (id: string, value: string) => `${id}=${value}`

export function allNames({ kinds, operations, assumptions }: Service): CoverageNames {
  return {
    operations: new Set(operations.map(({ id }) => id)),
    fields: new Set(
      operations.flatMap((one) => Object.keys(requestOf(one).fields).map((field) => fieldName(one.id, field))),
    ),
    refusals: new Set(refusalCodes),
    ends: new Set(
      [...kinds].flatMap((kind) =>
        statesOf(kind)
          .filter((state) => !openStates.some((open) => open === state))
          .map((state) => endName(kind.name, state)),
      ),
    ),
    edges: new Set([...kinds].flatMap(edgesOf)),
    callbacks: new Set(callbackOutcomes),
    tokens: new Set(tokenOutcomes),
    assumptions: new Set(
      Object.entries(assumptions).flatMap(([id, { alternatives }]) =>
        alternatives.map((value) => positionName(id, value)),
      ),
    ),
  }
}

function edgesOf(kind: Kind): string[] {
  return statesOf(kind).flatMap((from) =>
    (kind.machine.states[from]?.ownEvents ?? [])
      .filter((event) => !BY_HAND.includes(event))
      .flatMap((event) =>
        [true, false].flatMap((endsWell) => {
          const next = step(kind, from, event, { endsWell })
          return next ? [edgeName(kind.name, from, waitOf(event) ?? event, next.status)] : []
        }),
      ),
  )
}
