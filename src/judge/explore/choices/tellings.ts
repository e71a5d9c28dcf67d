/** Ways of telling the merchant: every fault of callbacks, and what is added here. To add a telling, add a record. */
import * as z from 'zod'
import type { Post } from '../../../core/host.ts'
import { waitsForRail } from '../../../core/lifecycle.ts'
import type { CallbackFaultName } from '../../../core/model/callback-fault.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { must } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import {
  choiceRecord,
  type KnownPayments,
  kindSchema,
  nthSchema,
  type Order,
  type Passage,
  type Planned,
  type RiskName,
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

/** An app notices only a field that its callback has. */
function has(field: string) {
  return ({ callback }: Kind) => field in (callback?.schema.shape ?? {})
}

/** A lie is about a failure, whatever else was chosen. */
const failing = (kind: Kind, { ending }: Planned) => endingOf(kind, 'failed') ?? ending

const surprise = (words: string, callback: object, more: Pick<TellingRecord, 'isFor'> = {}): TellingRecord => ({
  words: `its callback ${words}`,
  risk: 'surprises',
  callback,
  ...more,
})

/** A correct app refuses it, and so is not told. */
const refused = (telling: TellingRecord): TellingRecord => ({ ...telling, isUntold: true })

const forgery = (words: string, signature: string): TellingRecord => ({
  words: `its callback ${words}`,
  risk: 'forgeries',
  callback: { signature },
  isSigned: true,
  isUntold: true,
})

/** By fault, so that a new one is not forgotten. Empty where another does the same to an app. */
const ofFaults: Readonly<Record<CallbackFaultName, Readonly<Record<string, TellingRecord>>>> = {
  delay: {
    late: { words: 'its callback comes 40 minutes late', risk: 'lateness', callback: { delay: '40m' } },
    'days-late': { words: 'its callback comes three days late', risk: 'lateness', callback: { delay: '3d' } },
  },
  drop: {
    lost: { words: 'its callback never comes', risk: 'lateness', callback: { drop: true }, isUntold: true },
  },
  duplicate: {
    twice: { words: 'its callback comes twice', risk: 'repeats', callback: { duplicate: 2 } },
    'at-once': {
      words: 'its callback comes twice at the same moment',
      risk: 'repeats',
      callback: { duplicate: { times: 2, together: true } },
      isTogether: true,
      order: 'oldest-first',
    },
  },
  reorder: {
    overtaken: {
      words: 'its callback comes after the next one, where it is the first',
      risk: 'order',
      callback: { reorder: true, delay: '50m' },
    },
  },
  extra: { extra: surprise('has fields that nobody announced', { extra: { channel: 'USSD', retryCount: 0 } }) },
  set: {
    masked: refused(
      surprise('has a masked phone number', { set: { phoneNumber: '2547****5678' } }, { isFor: has('phoneNumber') }),
    ),
    'other-amount': refused(surprise('has another amount', { set: { amount: 1 } }, { isFor: has('amount') })),
  },
  without: {
    'no-amount': refused(surprise('lacks its amount', { without: ['amount'] }, { isFor: has('amount') })),
    'no-status': refused(surprise('lacks its status', { without: ['status'] }, { isFor: has('status') })),
  },
  status: {
    odd: {
      words: 'it fails, and its callback has a status that nobody announced',
      risk: 'surprises',
      callback: { status: 'ON_HOLD' },
      isFor: tellsLies,
      ending: failing,
      isUntold: true,
    },
  },
  spelling: {
    respelled: {
      ...surprise('is the same JSON with blanks, escapes, more decimal places, and its fields in another order', {
        spelling: ['order', 'blanks', 'escapes', 'decimals'],
      }),
      isSigned: true,
    },
    exponents: {
      ...surprise('is the same JSON with numbers such as 1E3', { spelling: 'exponents' }),
      isSigned: true,
    },
  },
  signature: {
    altered: forgery('is changed on its way, and its signature does not fit', 'altered-body'),
    'old-secret': forgery('is signed with a secret that was replaced', 'old-secret'),
    'old-signature': forgery('is signed an hour ago', 'stale-timestamp'),
    headless: forgery('lacks a header of its signature', 'missing-header'),
  },
  early: {
    early: {
      words: 'its callback comes before the answer to the request',
      risk: 'order',
      callback: { early: true },
      isFor: waitsForRail,
      isEarly: true,
      ending: (_, { ending }) => ({ ...ending, after: '0s' }),
    },
  },
}

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

const tellings = new Map<string, TellingRecord>(
  [...Object.values(ofFaults), added].flatMap((some) => Object.entries(some)),
)
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
