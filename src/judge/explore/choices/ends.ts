/** How a payment ends; what the ordinary day does when none is chosen. To add an end, add a record. */
import * as z from 'zod'
import { isInstant, isRevisable } from '../../../core/lifecycle.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { keysIn } from '../../../core/model/must.ts'
import type { RiskName } from '../../subject/risks.ts'
import { choiceRecord, kindSchema, nthSchema, type Planned } from './choice-record.ts'

const LONG = '25m'
const FAILED = 'FAILED'

export interface EndRecord {
  words: string
  risk: RiskName
  ending(good: string, bad: string): Planned['ending']
  callback?: object
  isRevision?: true
}

const paymentEnds = {
  failed: { words: 'fails after two seconds', risk: 'refusals', ending: (_, bad) => ({ after: '2s', end: bad }) },
  'failed-late': { words: 'fails after 25 minutes', risk: 'lateness', ending: (_, bad) => ({ after: LONG, end: bad }) },
  slow: { words: 'succeeds, after 25 minutes', risk: 'lateness', ending: (good) => ({ after: LONG, end: good }) },
  never: { words: 'never ends', risk: 'lateness', ending: () => ({ after: 'never' }) },
  'failed-then-paid': {
    risk: 'reversals',
    words: 'fails, and three hours later turns out to be paid after all',
    ending: (good, bad) => ({ after: '1m', end: bad, revise: { after: '3h', end: good } }),
    isRevision: true,
  },
  'failure-told-last': {
    risk: 'order',
    words: 'fails, turns out to be paid ten minutes later, and the failure is told after that',
    ending: (good, bad) => ({ after: '1m', end: bad, revise: { after: '10m', end: good } }),
    callback: { reorder: true },
    isRevision: true,
  },
  'paid-then-failed': {
    risk: 'reversals',
    words: 'succeeds, and is taken back 44 hours later',
    ending: (good, bad) => ({ after: '2s', end: good, revise: { after: '44h', end: bad } }),
    isRevision: true,
  },
} satisfies Record<string, EndRecord>
type EndName = keyof typeof paymentEnds
const names = keysIn(paymentEnds)
const revisionsToldInOrder = names.filter((as) => isRevised(as) && !('callback' in paymentEnds[as]))

export function isRevised(as: EndName): boolean {
  return 'isRevision' in paymentEnds[as]
}

export function canFail(kind: Kind): boolean {
  return !isInstant(kind) && kind.ends.includes(FAILED)
}

export function endingOf(kind: Kind, name: EndName): Planned['ending'] | undefined {
  const { ending, isRevision }: EndRecord = paymentEnds[name]
  if (!canFail(kind) || (isRevision && !isRevisable(kind))) return undefined
  return ending(kind.ends[0], FAILED)
}

function plan({ as }: { as: EndName }, planned: Planned, kind: Kind): Planned {
  const ending = endingOf(kind, as)
  const { callback = planned.callback }: EndRecord = paymentEnds[as]
  return ending ? { ...planned, ending, ...(callback && { callback }) } : planned
}

export const endChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(names) },
  risk: ({ as }) => paymentEnds[as].risk,
  story: ({ kind, nth, as }) => `${kind} ${nth} ${paymentEnds[as].words}`,
  offersForPayment: ({ of, kind, nth }) =>
    names.filter((as) => endingOf(of, as) !== undefined).map((as) => ({ kind, nth, as })),
  plan,
})

/** An act between the end of a payment and the revision of that end. */
export const actBetweenChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(revisionsToldInOrder), act: z.string() },
  sort: ({ as, act }) => `${as} ${act}`,
  risk: () => 'reversals',
  story: ({ kind, nth, as, act }) =>
    `${kind} ${nth} ${paymentEnds[as].words}, and in between somebody does ${act} once more`,
  offersForPayment: ({ of, kind, nth, acts }) =>
    revisionsToldInOrder
      .filter((as) => endingOf(of, as) !== undefined)
      .flatMap((as) => acts.map((act) => ({ kind, nth, as, act }))),
  plan,
  afterEnd: ({ act }) => act,
})
