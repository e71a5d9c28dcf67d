/** What becomes of telling the merchant. To add a telling, add a record. */
import * as z from 'zod'
import { waitsForRail } from '../../../core/lifecycle.ts'
import type { CallbackFaultName, callbackFaults } from '../../../core/model/callback-fault.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { aboutPayment, choiceRecord, keysOf, type Order, type Passage, type Planned } from './choice-record.ts'
import { kindSchema, nthSchema } from './choice-schemas.ts'
import { canFail, endingOf } from './ends.ts'
import { aboutAnother, aboutNobody, withLargerAmount } from './strangers.ts'

/** Its callback says how a payment ended. */
function isWorded(kind: Kind): boolean {
  return kind.callback?.withoutStatus !== true
}

function tellsLies(kind: Kind): boolean {
  return isWorded(kind) && canFail(kind)
}

type Written = { [Name in CallbackFaultName]?: z.input<(typeof callbackFaults)[Name]['schema']> }

export type TellingRecord = {
  words: string
  /** Of the kinds that have a callback, those whose can go wrong so; all of them without. */
  isFor?(kind: Kind): boolean
  /** To see through it takes a signature. */
  isSigned?: true
  /** The merchant is told nothing that can be believed. */
  isUntold?: true
  order?: Order
} & Passage &
  (
    | { /** As a rule has it. */ callback: Written; ending?(kind: Kind, planned: Planned): Planned['ending'] }
    | Required<Pick<Passage, 'stranger'>>
  )

/** A lie is about a failure, whatever else was chosen. */
const failing = (kind: Kind, { ending }: Planned) => endingOf(kind, 'failed') ?? ending

const tellings = {
  lost: { words: 'its callback never comes', callback: { drop: true }, isUntold: true },
  late: { words: 'its callback comes 40 minutes late', callback: { delay: '40m' } },
  twice: { words: 'its callback comes twice', callback: { duplicate: 2 } },
  'at-once': {
    words: 'its callback comes twice at the same moment',
    callback: { duplicate: { times: 2, together: true } },
    isTogether: true,
    order: 'oldest-first',
  },
  early: {
    words: 'its callback comes before the answer to the request',
    isFor: waitsForRail,
    callback: { early: true },
    ending: (_, { ending }) => ({ ...ending, after: '0s' }),
    isEarly: true,
  },
  overtaken: { words: 'its first callback comes after the next one', callback: { reorder: true, delay: '50m' } },
  forged: {
    words: 'it fails, and somebody else posts a callback that says SUCCESS',
    isFor: tellsLies,
    callback: { status: 'SUCCESS', signature: 'none' },
    ending: failing,
    isSigned: true,
    isUntold: true,
  },
  altered: {
    words: 'its callback is changed on its way, and its signature does not fit',
    callback: { signature: 'altered-body' },
    isSigned: true,
    isUntold: true,
  },
  odd: {
    words: 'it fails, and its callback has a status that nobody announced',
    isFor: tellsLies,
    callback: { status: 'ON_HOLD', extra: { channel: 'USSD' } },
    ending: failing,
    isUntold: true,
  },
  'stranger-amount': {
    words: 'before its callback somebody else posts one that says SUCCESS and a larger amount',
    isFor: isWorded,
    stranger: withLargerAmount,
    isSigned: true,
  },
  'stranger-other': {
    words: 'before its callback somebody else posts the same as SUCCESS about another payment',
    isFor: isWorded,
    stranger: aboutAnother,
    isSigned: true,
  },
  'stranger-unknown': {
    words: 'before its callback somebody else posts the same as SUCCESS about a payment that does not exist',
    isFor: isWorded,
    stranger: aboutNobody,
    isSigned: true,
  },
} satisfies Record<string, TellingRecord>
type TellingName = keyof typeof tellings

export function tellingOf(name: TellingName): TellingRecord {
  return tellings[name]
}

function plannedBy(name: TellingName, planned: Planned, kind: Kind): Planned | undefined {
  const told = tellingOf(name)
  if (!('callback' in told) || !kind.callback) return undefined
  // Who is never told cannot be told early.
  if (told.isEarly && (!waitsForRail(kind) || planned.ending.after === 'never')) return planned
  return { ...planned, ending: told.ending?.(kind, planned) ?? planned.ending, callback: told.callback }
}

export const tellChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(keysOf<TellingName>(tellings)) },
  slot: ({ kind, nth }) => `${kind} ${nth}`,
  sort: ({ as }) => as,
  story: ({ kind, nth, as }) => `${kind} ${nth}: ${tellings[as].words}`,
  met: ({ kind, nth }, { payments }) => payments.has(`${kind} ${nth}`),
  about: aboutPayment,
  offers: {
    forPayment: ({ of, kind, nth }) =>
      keysOf<TellingName>(tellings)
        .filter((as) => of.callback !== undefined && (tellingOf(as).isFor?.(of) ?? true))
        .map((as) => ({ kind, nth, as })),
  },
  effects: {
    plan: ({ as }, planned, kind) => plannedBy(as, planned, kind),
    settings: ({ as }) =>
      tellingOf(as).isSigned ? { assumptions: { 'callback-signature': 'standard-webhooks' } } : {},
    order: ({ as }) => tellingOf(as).order,
    passage: ({ as }) => tellingOf(as),
  },
})
