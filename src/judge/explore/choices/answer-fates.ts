/** Fates of the answer to the request that made a payment. To add a fate, add a record. */
import * as z from 'zod'
import type { Unseen } from '../happened.ts'
import { aboutPayment, choiceRecord, keysOf } from './choice-record.ts'
import { kindSchema, nthSchema } from './choice-schemas.ts'

export type FateRecord = {
  words: string
  /** Fates of one sort leave an app to guess in the same way. */
  sort: 'missing' | '5xx' | 'page' | 'held'
} & (
  | { /** As `answer` of a rule has it. */ answer: object | 'lost' | 'reset' }
  | { /** Until all else that follows has happened; no scenario says it. */ isHeld: true }
)

const answerFates = {
  lost: {
    words: 'the payment is made, and the connection closes before a byte of its answer arrives',
    sort: 'missing',
    answer: 'lost',
  },
  reset: {
    words: 'the payment is made, and the connection is reset before its answer',
    sort: 'missing',
    answer: 'reset',
  },
  '500': { words: 'the payment is made, and answered 500 all the same', sort: '5xx', answer: { status: 500 } },
  '503': { words: 'the payment is made, and answered 503 all the same', sort: '5xx', answer: { status: 503 } },
  '502-page': {
    words: "the payment is made, and answered 502 with a gateway's HTML page all the same",
    sort: 'page',
    answer: { status: 502, html: true },
  },
  '504-page': {
    words: "the payment is made, and answered 504 with a gateway's HTML page all the same",
    sort: 'page',
    answer: { status: 504, html: true },
  },
  held: {
    words: 'the answer comes after what follows from the payment, its callback included',
    sort: 'held',
    isHeld: true,
  },
} satisfies Record<string, FateRecord>
type FateName = keyof typeof answerFates

function unseenFate(name: FateName): Unseen | undefined {
  const fate: FateRecord = answerFates[name]
  if ('isHeld' in fate) return 'held'
  return typeof fate.answer === 'string' ? fate.answer : undefined
}

export const answerChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(keysOf<FateName>(answerFates)) },
  slot: ({ kind, nth }) => `${kind} ${nth}`,
  sort: ({ as }) => answerFates[as].sort,
  risk: ({ as }) => (answerFates[as].sort === 'held' ? 'order' : 'lost-answers'),
  story: ({ kind, nth, as }) => `${kind} ${nth}: ${answerFates[as].words}`,
  met: ({ kind, nth }, { payments }) => payments.has(`${kind} ${nth}`),
  about: aboutPayment,
  offers: { forPayment: ({ kind, nth }) => keysOf<FateName>(answerFates).map((as) => ({ kind, nth, as })) },
  effects: {
    plan: ({ as }, planned) => {
      const fate: FateRecord = answerFates[as]
      return 'isHeld' in fate ? undefined : { ...planned, answer: fate.answer }
    },
    unseen: ({ as }) => unseenFate(as),
  },
})
