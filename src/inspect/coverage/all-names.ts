/** Names of everything that can be covered. */
import { openStates, statesOf, step, waitOf } from '../../core/lifecycle.ts'
import { callbackFaults } from '../../core/model/callback-fault.ts'
import type { Kind } from '../../core/model/kind.ts'
import { refusalCodes } from '../../core/model/refusal.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { requestOf } from '../../core/response-faults.ts'
import type { CoverageNames } from '../coverage.ts'

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
