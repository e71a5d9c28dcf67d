/** Works out what can be told otherwise, from what was told in a truthful run: one field, one change each. */
import type { ControlAnswer } from '../../client/control.ts'
import type { Mutation } from '../../core/model/mutation.ts'

/** What was told of one operation or kind. */
export type ToldCallback = ControlAnswer<'GET', '/told'>['told'][number]

/** A change of one field, with the words for it. */
export interface Mutant {
  mutation: Mutation
  /** `amount in the send-money callback`. */
  field: string
  /** `×100`. */
  change: string
}

type Sort = 'amount' | 'reference' | 'id' | 'currency' | 'status'

/** Fields that say how much, whose, which and how far: what an app must not take on trust. Not what a rail says of itself. */
const sorts: readonly [Sort, RegExp][] = [
  ['amount', /^(?:requested)?amount$/i],
  ['currency', /^currency(?:code)?$/i],
  ['reference', /^(?:external|account)?reference(?:id)?$/i],
  ['status', /^status$/i],
  ['id', /^(?:id|uuid|requestId|paymentId|sessionId)$/i],
]
/** What a payment comes to, well and badly, in the words of each kind. */
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

/** Every mutant of what was told; what was never told is not changed. */
export function mutantsOf(told: readonly ToldCallback[]): Mutant[] {
  return together(told).flatMap((sort) => {
    const place = sort.in === 'answer' ? `answer of ${sort.of}` : `${sort.of} callback`
    const fields = valuesByPath(sort.bodies)
    const isTold = (at: string) => fields.has(at)
    const mutant = (at: string, name: string, change: string, how: Mutation['change']): Mutant => ({
      mutation: { in: sort.in, of: sort.of, at, change: how },
      field: `${name} in the ${place}`,
      change,
    })
    const inFields = [...fields]
      .filter(([at]) => matters(at, isTold))
      .flatMap(([at, values]) =>
        changesOf(at, values, sort).map(([change, how]) => mutant(at, nameOf(at), change, how)),
      )
    const signed = sort.signed ? [mutant('', 'signature', 'wrong', { signature: 'wrong' })] : []
    return [...inFields, ...signed]
  })
}

/** What several worlds were told of the same. */
function together(told: readonly ToldCallback[]): ToldCallback[] {
  const groups = Map.groupBy(told, ({ in: where, of }) => `${where} ${of}`)
  return [...groups.values()].map((alike) => ({
    ...(alike[0] as ToldCallback),
    bodies: alike.flatMap(({ bodies }) => bodies),
    signed: alike.some(({ signed }) => signed),
  }))
}

/**
 * Not what is told of anybody else than the payment, and not the number of a record beside the id by which it is asked
 * for: no app has a reason to read those.
 */
function matters(at: string, isTold: (at: string) => boolean): boolean {
  const name = at.split('.').at(-1) as string
  const around = at.slice(0, -name.length)
  if (/(?:^|\.)(?:organi[sz]ation|company|user|meta|page)\./i.test(around)) return false
  return name !== 'id' || !isTold(`${around}uuid`)
}

/** `data.records[].amount` is told as `records[].amount`: all bodies have an envelope. */
function nameOf(at: string): string {
  return at.replace(/^data(?:\[\])?\./, '')
}

function changesOf(at: string, values: readonly unknown[], { method }: ToldCallback): [string, Mutation['change']][] {
  if (values.some((value) => Array.isArray(value)))
    return values.some((value) => Array.isArray(value) && value.length > 1)
      ? [['in another order', { reverse: true }]]
      : []
  const name = at.replace(/\[\]$/, '').split('.').at(-1) as string
  const [sort] = sorts.find(([, pattern]) => pattern.test(name)) ?? []
  const told = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  if (sort === undefined || told.length === 0) return []
  if (sort === 'status') {
    const states = [...new Set(told.map(String))]
    if (!states.every((state) => STATUS.test(state))) return []
    return [...statusChanges(states, method), ['missing', { remove: true }]]
  }
  const another = [...new Set(told)]
  const changes: Record<Exclude<Sort, 'status'>, [string, Mutation['change']]> = {
    amount: ['×100', { multiply: 100 }],
    currency: [`another currency`, { anotherOf: [OTHER_CURRENCY] }],
    reference: ["another payment's", { anotherOf: [...another, ...made(told[0])] }],
    id: ["another payment's", { anotherOf: [...another, ...made(told[0])] }],
  }
  return [changes[sort], ['missing', { remove: true }]]
}

/** Only of what was told: nothing is changed where a payment never ended. */
function statusChanges(states: readonly string[], method: string | undefined): [string, Mutation['change']][] {
  const ends = states.filter((state) => Object.hasOwn(flipped, state))
  const from = (state: string, to: string): [string, Mutation['change']] => [
    `${to} for ${state}`,
    { map: { [state]: to } },
  ]
  const changes = ends.map((state) => from(state, flipped[state] as string))
  if (method === 'GET' && ends.length > 0)
    changes.push(['stale', { map: Object.fromEntries(ends.map((state) => [state, UNDER_WAY])) }])
  return [...changes, ['unknown', { anotherOf: [UNKNOWN_STATUS] }]]
}

/** Of the form of a value, and no payment's, where only one was ever told. */
function made(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1]
  const text = String(value)
  return [text.slice(0, -1) + (text.endsWith('7') ? '3' : '7')]
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
