/** Works out what can be told otherwise, from what was told in a truthful run: one field, one change each. */
import { must } from '../../core/model/must.ts'
import type { Mutation } from '../../core/presentation.ts'
import type { ToldCallback } from '../explore/world-left.ts'

export interface Mutant {
  mutation: Mutation
  field: string
  change: string
  /** Why nobody may have noticed it: `nothing in your app reads it`. */
  unnoticed: string
}

export function mutantsOf(told: readonly ToldCallback[]): Mutant[] {
  return together(told).flatMap((sort) => {
    const place = sort.in === 'answer' ? `answer of ${sort.of}` : `${sort.of} callback`
    const fields = valuesByPath(sort.bodies)
    const isTold = (at: string) => fields.has(at)
    const mutant = (at: string, name: string, unnoticed: string, [change, how]: Proposal): Mutant => ({
      mutation: { in: sort.in, of: sort.of, at, change: how },
      field: `${name} in the ${place}`,
      change,
      unnoticed,
    })
    const inFields = [...fields]
      .filter(([at]) => matters(at, isTold))
      .flatMap(([at, values]) => {
        const about = { name: at.replace(/\[\]$/, '').split('.').at(-1) ?? '', values, method: sort.method }
        const record = fieldMutations.find((one) => one.isOf(about))
        return record ? record.propose(about).map((one) => mutant(at, nameOf(at), record.unnoticed, one)) : []
      })
    return sort.signed ? [...inFields, mutant('', 'signature', UNREAD, ['wrong', { signature: 'wrong' }])] : inFields
  })
}

function together(told: readonly ToldCallback[]): ToldCallback[] {
  const groups = Map.groupBy(told, ({ in: where, of }) => `${where} ${of}`)
  return [...groups.values()].map((alike) => ({
    ...must(alike[0]),
    bodies: alike.flatMap(({ bodies }) => bodies),
    signed: alike.some(({ signed }) => signed),
  }))
}

/**
 * Not what is told of anybody else than the payment, and not the number of a record beside the id by which it is asked
 * for: no app has a reason to read those.
 */
function matters(at: string, isTold: (at: string) => boolean): boolean {
  const name = must(at.split('.').at(-1))
  const around = at.slice(0, -name.length)
  if (/(?:^|\.)(?:organi[sz]ation|company|user|meta|page)\./i.test(around)) return false
  return name !== 'id' || !isTold(`${around}uuid`)
}

/** `data.records[].amount` is told as `records[].amount`: all bodies have an envelope. */
function nameOf(at: string): string {
  return at.replace(/^data(?:\[\])?\./, '')
}

function valuesByPath(bodies: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  const note = (at: string, value: unknown) => found.set(at, [...(found.get(at) ?? []), value])
  const look = (value: unknown, at: string): void => {
    if (Array.isArray(value)) {
      note(at, value)
      for (const item of value) look(item, `${at}[]`)
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) look(inner, at === '' ? name : `${at}.${name}`)
    else note(at, value)
  }
  for (const body of bodies) look(body, '')
  return found
}

// Mutations of a field, by what the field says. To add a mutation, add a record.

type Proposal = [words: string, change: Mutation['change']]

export interface ToldField {
  name: string
  values: readonly unknown[]
  method: string | undefined
}

export interface FieldMutation {
  /** Said of a survivor: completes `survived; `. */
  unnoticed: string
  /** A field is changed by the first record that fits it. */
  isOf(field: ToldField): boolean
  /** Only of what was told: nothing is changed where a payment never ended. */
  propose(field: ToldField): Proposal[]
}

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
  return ["another payment's", { anotherOf: [...new Set(told), ...mutatedValues(told[0])] }]
}

const fieldMutations: readonly FieldMutation[] = [
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

function mutatedValues(value: string | number | undefined): unknown[] {
  if (typeof value === 'number') return [value + 1]
  const text = String(value)
  return [text.slice(0, -1) + (text.endsWith('7') ? '3' : '7')]
}
