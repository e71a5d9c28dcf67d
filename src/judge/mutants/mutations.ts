/** Works out what can be told otherwise, from what was told in a truthful run: one field, one change each. */
import type { ControlAnswer } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import type { Mutation } from '../../core/model/mutation.ts'
import { fieldMutations, type MutationRecord, messageMutations, type Proposal } from './mutation-records.ts'

/** Answers or callbacks of one operation or kind. */
export type ToldCallback = ControlAnswer<'GET', '/told'>['told'][number]

/** A change of one field, with the words for it. */
export interface Mutant {
  mutation: Mutation
  /** `amount in the send-money callback`. */
  field: string
  /** `×100`. */
  change: string
  /** Why nobody may have noticed it: `nothing in your app reads it`. */
  unnoticed: string
}

/** Every mutant of what was told; what was never told is not changed. */
export function mutantsOf(told: readonly ToldCallback[]): Mutant[] {
  return together(told).flatMap((sort) => {
    const place = sort.in === 'answer' ? `answer of ${sort.of}` : `${sort.of} callback`
    const fields = valuesByPath(sort.bodies)
    const isTold = (at: string) => fields.has(at)
    const mutant = (at: string, name: string, { unnoticed }: MutationRecord, [change, how]: Proposal): Mutant => ({
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
        return record ? record.propose(about).map((one) => mutant(at, nameOf(at), record, one)) : []
      })
    const ofAll = messageMutations.flatMap((one) => one.propose(sort).map((how) => mutant('', one.name, one, how)))
    return [...inFields, ...ofAll]
  })
}

/** Joins what several worlds were told of the same. */
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

/** Every field of the bodies with its values, by its path; lists too. */
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
