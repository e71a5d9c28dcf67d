/** Mutations of a field, by what the field says. To add a mutation, add a record. */
import type { Mutation } from '../../core/model/mutation.ts'

/** The words for a change, and the change. */
export type Proposal = [words: string, change: Mutation['change']]

export interface MutationRecord {
  /** Said of a survivor: completes `survived; `. */
  unnoticed: string
}

export interface ToldField {
  name: string
  values: readonly unknown[]
  method: string | undefined
}

export interface FieldMutation extends MutationRecord {
  /** The first that it is of is the one. */
  isOf(field: ToldField): boolean
  /** Only of what was told: nothing is changed where a payment never ended. */
  propose(field: ToldField): Proposal[]
}

export interface MessageMutation extends MutationRecord {
  name: string
  propose(told: { signed?: boolean | undefined }): Proposal[]
}

/** Ends of a payment, well and badly, in the words of each kind. */
const flipped: Readonly<Record<string, string>> = {
  SUCCESS: 'FAILED',
  SUCCEEDED: 'FAILED',
  COMPLETED: 'FAILED',
  FAILED: 'SUCCESS',
  REVERSED: 'SUCCESS',
  EXPIRED: 'SUCCEEDED',
  CANCELLED: 'SUCCEEDED',
}
const UNDER_WAY = 'PENDING'
/** A currency and a status that nobody here uses. */
const [OTHER_CURRENCY, UNKNOWN_STATUS] = ['XTS', 'ON_HOLD']
/** A word that may be a status; what an envelope says, such as `200 OK`, is none. */
const STATUS = /^[A-Z_]+$/

const missing: Proposal = ['missing', { remove: true }]
const UNREAD = 'nothing in your app reads it'

function written({ values }: ToldField): (string | number)[] {
  return values.filter((value) => typeof value === 'string' || typeof value === 'number')
}

/** A field that says how much, whose or which: what an app must not take on trust. */
function field(pattern: RegExp, change: (told: readonly (string | number)[]) => Proposal): FieldMutation {
  return {
    isOf: (one) => pattern.test(one.name) && written(one).length > 0,
    propose: (one) => [change(written(one)), missing],
    unnoticed: UNREAD,
  }
}

function anotherPayments(told: readonly (string | number)[]): Proposal {
  return ["another payment's", { anotherOf: [...new Set(told), ...made(told[0])] }]
}

/** Not what a rail says of itself. */
export const fieldMutations: readonly FieldMutation[] = [
  {
    isOf: ({ values }) => values.some((value) => Array.isArray(value)),
    propose: ({ values }) =>
      values.some((value) => Array.isArray(value) && value.length > 1) ? [['in another order', { reverse: true }]] : [],
    unnoticed: 'nothing in your app depends on it',
  },
  field(/^(?:requested)?amount$/i, () => ['×100', { multiply: 100 }]),
  field(/^currency(?:code)?$/i, () => ['another currency', { anotherOf: [OTHER_CURRENCY] }]),
  field(/^(?:external|account)?reference(?:id)?$/i, anotherPayments),
  {
    isOf: (one) => /^status$/i.test(one.name) && written(one).every((state) => STATUS.test(String(state))),
    propose: (one) => [...statusProposals([...new Set(written(one).map(String))], one.method)],
    unnoticed: UNREAD,
  },
  field(/^(?:id|uuid|requestId|paymentId|sessionId)$/i, anotherPayments),
]

/** Mutations of a whole answer or callback. */
export const messageMutations: readonly MessageMutation[] = [
  {
    name: 'signature',
    propose: ({ signed }) => (signed ? [['wrong', { signature: 'wrong' }]] : []),
    unnoticed: UNREAD,
  },
]

function statusProposals(states: readonly string[], method: string | undefined): Proposal[] {
  if (states.length === 0) return []
  const ends = states.filter((state) => Object.hasOwn(flipped, state))
  const proposals = ends.map((state): Proposal => {
    const to = flipped[state] ?? UNKNOWN_STATUS
    return [`${to} for ${state}`, { map: { [state]: to } }]
  })
  if (method === 'GET' && ends.length > 0)
    proposals.push(['stale', { map: Object.fromEntries(ends.map((state) => [state, UNDER_WAY])) }])
  return [...proposals, ['unknown', { anotherOf: [UNKNOWN_STATUS] }], missing]
}

/** Made-up values in the form of the one that was told, where only one ever was. */
function made(value: string | number | undefined): unknown[] {
  if (typeof value === 'number') return [value + 1]
  const text = String(value)
  return [text.slice(0, -1) + (text.endsWith('7') ? '3' : '7')]
}
