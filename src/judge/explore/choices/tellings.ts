/** Ways of telling the merchant. To add a telling, add a record; a test misses a fault of callbacks that has none. */
import * as z from 'zod'
import type { Post } from '../../../core/host.ts'
import { waitsForRail } from '../../../core/lifecycle.ts'
import { type CallbackFaultName, type CallbackFaultRecord, callbackFaults } from '../../../core/model/callback-fault.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { keysIn, must } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { RiskName } from '../../subject/risks.ts'
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

interface Worded {
  set?: object
  without?: readonly string[]
}

/** An app notices only fields that its callback has. */
function hasFields({ callback }: Kind, { set = {}, without = [] }: Worded) {
  return [...Object.keys(set), ...without].every((field) => field in (callback?.schema.shape ?? {}))
}

/** A lie is about a failure, whatever else was chosen. */
const failing = (kind: Kind, { ending }: Planned) => endingOf(kind, 'failed') ?? ending

/** A callback that a correct app refuses does not tell it. One whose bytes or signature are wrong needs signatures. */
function faulty(
  words: string,
  risk: RiskName,
  callback: Partial<Record<CallbackFaultName, unknown>> & Worded,
  besides: Partial<TellingRecord> = {},
): TellingRecord {
  const faults = keysIn(callback).map((name): CallbackFaultRecord => callbackFaults[name])
  return {
    words: `its callback ${words}`,
    risk,
    callback,
    isFor: (kind) => hasFields(kind, callback),
    ...(faults.some(({ sign, spell }) => sign || spell) && { isSigned: true }),
    ...(faults.some(({ refusable }) => refusable) && { isUntold: true }),
    ...besides,
  }
}

function byStranger(words: string, stranger: NonNullable<Passage['stranger']>): TellingRecord {
  const told = `before its callback somebody else posts ${words}`
  return { words: told, risk: 'forgeries', isFor: isWorded, stranger, isSigned: true }
}

const lying: Partial<TellingRecord> = { isFor: tellsLies, ending: failing }
const early: Partial<TellingRecord> = {
  isFor: waitsForRail,
  isEarly: true,
  ending: (_, { ending }) => ({ ...ending, after: '0s' }),
}

const tellings: Readonly<Record<string, TellingRecord>> = {
  late: faulty('comes 40 minutes late', 'lateness', { delay: '40m' }),
  'days-late': faulty('comes three days late', 'lateness', { delay: '3d' }),
  lost: faulty('never comes', 'lateness', { drop: true }, { isUntold: true }),
  twice: faulty('comes twice', 'repeats', { duplicate: 2 }),
  'at-once': faulty(
    'comes twice at the same moment',
    'repeats',
    { duplicate: { times: 2, together: true } },
    { isTogether: true, order: 'oldest-first' },
  ),
  overtaken: faulty('comes after the next one, where it is the first', 'order', { reorder: true, delay: '50m' }),
  extra: faulty('has fields that nobody announced', 'surprises', { extra: { channel: 'USSD', retryCount: 0 } }),
  masked: faulty('has a masked phone number', 'surprises', { set: { phoneNumber: '2547****5678' } }),
  'other-amount': faulty('has another amount', 'surprises', { set: { amount: 1 } }),
  'no-amount': faulty('lacks its amount', 'surprises', { without: ['amount'] }),
  'no-status': faulty('lacks its status', 'surprises', { without: ['status'] }),
  odd: {
    ...faulty('has a status that nobody announced', 'surprises', { status: 'ON_HOLD' }, lying),
    words: 'it fails, and its callback has a status that nobody announced',
  },
  respelled: faulty(
    'is the same JSON with blanks, escapes, more decimal places, and its fields in another order',
    'surprises',
    { spelling: ['order', 'blanks', 'escapes', 'decimals'] },
  ),
  exponents: faulty('is the same JSON with numbers such as 1E3', 'surprises', { spelling: 'exponents' }),
  altered: faulty('is changed on its way, and its signature does not fit', 'forgeries', { signature: 'altered-body' }),
  'old-secret': faulty('is signed with a secret that was replaced', 'forgeries', { signature: 'old-secret' }),
  'old-signature': faulty('is signed an hour ago', 'forgeries', { signature: 'stale-timestamp' }),
  headless: faulty('lacks a header of its signature', 'forgeries', { signature: 'missing-header' }),
  early: faulty('comes before the answer to the request', 'order', { early: true }, early),
  forged: {
    words: 'it fails, and somebody else posts a callback that says SUCCESS',
    risk: 'forgeries',
    callback: { status: 'SUCCESS', signature: 'none' },
    ...lying,
    isSigned: true,
    isUntold: true,
  },
  'stranger-amount': byStranger('one that says SUCCESS and a larger amount', withLargerAmount),
  'stranger-other': byStranger('the same as SUCCESS about another payment', aboutAnother),
  'stranger-unknown': byStranger('the same as SUCCESS about a payment that does not exist', aboutNobody),
}

const names = Object.keys(tellings)

export function tellingOf(name: string): TellingRecord {
  return must(tellings[name])
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
