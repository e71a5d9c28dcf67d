/** Ways of telling the merchant: every fault of callbacks, and what is added here. To add a telling, add a record. */
import * as z from 'zod'
import type { Post } from '../../../core/host.ts'
import { waitsForRail } from '../../../core/lifecycle.ts'
import { type CallbackFaultRecord, callbackFaults } from '../../../core/model/callback-fault.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { must } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { RiskName } from '../../../core/model/risks.ts'
import {
  choiceRecord,
  type KnownPayments,
  kindSchema,
  nthSchema,
  type Order,
  type Passage,
  type Planned,
} from './choice-record.ts'
import { canFail, endingOf } from './ends.ts'

function isWorded(kind: Kind): boolean {
  return kind.callback?.withoutStatus !== true
}

function tellsLies(kind: Kind): boolean {
  return isWorded(kind) && canFail(kind)
}

export type TellingRecord = {
  words: string
  risk: RiskName
  isFor?(kind: Kind): boolean
  /** Only a check of the signature can detect it. */
  isSigned?: true
  isUntold?: true
  order?: Order
} & Passage &
  (
    | { /** As a rule has it. */ callback: object; ending?(kind: Kind, planned: Planned): Planned['ending'] }
    | Required<Pick<Passage, 'stranger'>>
  )

/** An app notices only fields that its callback has. */
function hasFields({ callback }: Kind, { set = {}, without = [] }: { set?: object; without?: readonly string[] }) {
  return [...Object.keys(set), ...without].every((field) => field in (callback?.schema.shape ?? {}))
}

/** A lie is about a failure, whatever else was chosen. */
const failing = (kind: Kind, { ending }: Planned) => endingOf(kind, 'failed') ?? ending

/** Choices that a try of a fault takes besides, so that it comes to something. */
const besides: Readonly<Record<string, Partial<TellingRecord>>> = {
  lost: { isUntold: true },
  'at-once': { isTogether: true, order: 'oldest-first' },
  odd: { words: 'it fails, and its callback has a status that nobody announced', isFor: tellsLies, ending: failing },
  early: { isFor: waitsForRail, isEarly: true, ending: (_, { ending }) => ({ ...ending, after: '0s' }) },
}

const ofFaults = Object.values<CallbackFaultRecord>(callbackFaults).flatMap(({ tries, sign, spell, refusable }) =>
  Object.entries(tries).map(([name, { words, risk, then }]): [string, TellingRecord] => [
    name,
    {
      words: `its callback ${words}`,
      risk,
      callback: then,
      isFor: (kind) => hasFields(kind, then),
      ...((sign || spell) && { isSigned: true }),
      // A correct app refuses it, and so is not told.
      ...(refusable && { isUntold: true }),
      ...besides[name],
    },
  ]),
)

const added = {
  forged: {
    words: 'it fails, and somebody else posts a callback that says SUCCESS',
    risk: 'forgeries',
    isFor: tellsLies,
    callback: { status: 'SUCCESS', signature: 'none' },
    ending: failing,
    isSigned: true,
    isUntold: true,
  },
  'stranger-amount': {
    words: 'before its callback somebody else posts one that says SUCCESS and a larger amount',
    risk: 'forgeries',
    isFor: isWorded,
    stranger: withLargerAmount,
    isSigned: true,
  },
  'stranger-other': {
    words: 'before its callback somebody else posts the same as SUCCESS about another payment',
    risk: 'forgeries',
    isFor: isWorded,
    stranger: aboutAnother,
    isSigned: true,
  },
  'stranger-unknown': {
    words: 'before its callback somebody else posts the same as SUCCESS about a payment that does not exist',
    risk: 'forgeries',
    isFor: isWorded,
    stranger: aboutNobody,
    isSigned: true,
  },
} satisfies Record<string, TellingRecord>

const tellings = new Map<string, TellingRecord>([...ofFaults, ...Object.entries(added)])
const names = [...tellings.keys()]

export function tellingOf(name: string): TellingRecord {
  return must(tellings.get(name))
}

function plannedBy(name: string, planned: Planned, kind: Kind): Planned | undefined {
  const told = tellingOf(name)
  if (!('callback' in told) || !kind.callback) return undefined
  // A payment that is never told cannot be told early.
  if (told.isEarly && (!waitsForRail(kind) || planned.ending.after === 'never')) return planned
  return { ...planned, ending: told.ending?.(kind, planned) ?? planned.ending, callback: told.callback }
}

export const tellChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(names) },
  risk: ({ as }) => tellingOf(as).risk,
  story: ({ kind, nth, as }) => `${kind} ${nth}: ${tellingOf(as).words}`,
  offersForPayment: ({ of, kind, nth }) =>
    names
      .filter((as) => of.callback !== undefined && (tellingOf(as).isFor?.(of) ?? true))
      .map((as) => ({ kind, nth, as })),
  plan: ({ as }, planned, kind) => plannedBy(as, planned, kind),
  settings: ({ as }) => (tellingOf(as).isSigned ? { assumptions: { 'callback-signature': 'standard-webhooks' } } : {}),
  order: ({ as }) => tellingOf(as).order,
  passage: ({ as }) => tellingOf(as),
})

// Callbacks as a stranger makes them up who knows the address, and has seen others: without a signature.

const NOWHERE = { uuid: '00000000-dead-4000-8000-000000000000', referenceId: 'nobody-1' }

function withLargerAmount(post: Post): Post {
  return unsigned(post, post.body.replace(/("amount":"?)(\d)/, '$19$2'))
}

function aboutNobody(post: Post, { payment }: KnownPayments): Post {
  return unsigned(post, renamed(post.body, payment, NOWHERE))
}

function aboutAnother(post: Post, { payment, others }: KnownPayments): Post | undefined {
  const other = others.find(({ callbackUrl }) => callbackUrl !== null)
  return other && unsigned(post, renamed(post.body, payment, other), other.callbackUrl ?? post.url)
}

function unsigned(post: Post, body: string, url = post.url): Post {
  const headers = Object.fromEntries(Object.entries(post.headers).filter(([name]) => !name.startsWith('webhook-')))
  return { ...post, url, headers, body: body.replace(/("status":")\w+"/, '$1SUCCESS"') }
}

function renamed(body: string, from: Pick<Payment, 'uuid' | 'referenceId'>, to: typeof from): string {
  const said = body.replaceAll(from.uuid, to.uuid)
  return from.referenceId === null ? said : said.replaceAll(`"${from.referenceId}"`, JSON.stringify(to.referenceId))
}
