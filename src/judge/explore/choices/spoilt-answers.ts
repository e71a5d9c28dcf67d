/** Spoilt answers to a request that is executed: every fault of answers, and what is added here. To add one, add a record. */
import * as z from 'zod'
import { must } from '../../../core/model/must.ts'
import { type ResponseFaultRecord, responseFaults } from '../../../core/model/response-fault-records.ts'
import type { RiskName } from '../../../core/model/risks.ts'
import { paymentsService } from '../../../service/service.ts'
import { choiceRecord } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'
import { triesOf } from './fault-tries.ts'
import { staleBody } from './stale-answers.ts'

/** The fates of answers say the rest of requests that make a payment. */
type Requests = 'all' | 'changes' | 'reads'

export type SpoiltAnswerRecord = {
  words: string
  risk: RiskName
  of: Requests
  /** Not of a request that makes a payment. */
  isElsewhere?: true
} & ({ fault: object } | { isHeld: true } | { rewrites(body: string): string })

const faults: Readonly<Record<string, ResponseFaultRecord>> = responseFaults
/** A fault that turns a request away leaves nothing to spoil. */
const afterwards = triesOf(faults, ({ way }, { isRefusal }) => way !== 'before' && !isRefusal)

const spoilt = new Map<string, SpoiltAnswerRecord>([
  ...[...afterwards].map(([name, { words, then, risk, record }]): [string, SpoiltAnswerRecord] => {
    // In the place of a read's answer it is as if nothing had been done.
    const isInstead = record.way === 'answer'
    const told = `is executed, and ${words}`
    const fault = { ...(isInstead && { after: true }), then }
    return isInstead
      ? [name, { words: told, fault, risk: 'lost-answers', of: 'changes', isElsewhere: true }]
      : [name, { words: told, fault, risk, of: 'all' }]
  }),
  [
    'held',
    {
      words: 'is executed, and answered after all that follows from it',
      risk: 'lateness',
      of: 'all',
      isElsewhere: true,
      isHeld: true,
    },
  ],
  [
    'stale',
    {
      words: 'is answered as it was before payments had ended',
      risk: 'lateness',
      of: 'reads',
      isElsewhere: true,
      rewrites: staleBody,
    },
  ],
])
const names = [...spoilt.keys()]

function spoiltAs(name: string): SpoiltAnswerRecord {
  return must(spoilt.get(name))
}

function isFor({ of, isElsewhere }: SpoiltAnswerRecord, operation: string, opens: boolean): boolean {
  if (opens && isElsewhere) return false
  const isRead = paymentsService.operations.find(({ id }) => id === operation)?.method.toUpperCase() === 'GET'
  return of === 'all' || (of === 'reads') === isRead
}

function offered(operation: string, nth: number, opens: boolean) {
  return names.filter((as) => isFor(spoiltAs(as), operation, opens)).map((as) => ({ operation, nth, as }))
}

const isAt = (one: { operation: string; nth: number }, operation: string, nth: number) =>
  one.operation === operation && one.nth === nth

export const spoilChoice = choiceRecord({
  fields: { operation: z.string(), nth: nthSchema, as: z.enum(names) },
  slot: ({ operation, nth }) => `${operation} ${nth}`,
  sort: ({ as }) => as,
  risk: ({ as }) => spoiltAs(as).risk,
  story: ({ operation, nth, as }) => `request ${nth} to ${operation} ${spoiltAs(as).words}`,
  met: ({ operation, nth }, { requests }) => requests.has(`${operation} ${nth}`),
  about: () => undefined,
  offers: {
    forPayment: ({ operation, nth }) => (operation === undefined ? [] : offered(operation, nth, true)),
    forDay: ({ requests }) =>
      requests
        .filter(({ opens }) => opens === undefined)
        .flatMap(({ operation, nth }) => offered(operation, nth, false)),
  },
  effects: {
    fault: ({ operation, nth, as }) => {
      const one = spoiltAs(as)
      return 'fault' in one
        ? { name: `${operation} ${nth}: answer ${as}`, on: operation, when: `nth == ${nth}`, ...one.fault }
        : undefined
    },
    holds: (one, operation, nth) => 'isHeld' in spoiltAs(one.as) && isAt(one, operation, nth),
    rewrites: (one, operation, nth) => {
      const how = spoiltAs(one.as)
      return 'rewrites' in how && isAt(one, operation, nth) ? how.rewrites : undefined
    },
  },
})
