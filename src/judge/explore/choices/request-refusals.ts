/** Refusals of a request, which is not executed: every fault that can stand in the place of an answer, and what is added here. */
import * as z from 'zod'
import { must } from '../../../core/model/must.ts'
import { type ResponseFaultRecord, responseFaults } from '../../../core/model/response-fault-records.ts'
import type { RiskName } from '../../../core/model/risks.ts'
import { choiceRecord } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'
import { triesOf } from './fault-tries.ts'

export interface RefusedRequestRecord {
  words: string
  /** As a fault of the scenario has it. */
  fault: object
  risk: RiskName
  /** So many requests in a row meet it; one unless told. */
  requests?: number
  /** Too much for a request that makes a payment. */
  isElsewhere?: true
}

const faults: Readonly<Record<string, ResponseFaultRecord>> = responseFaults
const standingIn = triesOf(faults, ({ way }) => way === 'answer' || way === 'before')

const refusals = new Map<string, RefusedRequestRecord>([
  ...[...standingIn].map(
    ([name, { words, then, risk }]) => [name, { words: `${words}, and nothing is done`, fault: then, risk }] as const,
  ),
  [
    'outage',
    {
      words: 'and the five that follow are answered 503, and nothing is done',
      fault: { status: 503 },
      risk: 'refusals',
      requests: 6,
      isElsewhere: true,
    },
  ],
])
const names = [...refusals.keys()]

function refusalOf(name: string): RefusedRequestRecord {
  return must(refusals.get(name))
}

function whenOf({ nth, as }: { nth: number; as: string }): string {
  const { requests = 1 } = refusalOf(as)
  return requests === 1 ? `nth == ${nth}` : `nth >= ${nth} && nth < ${nth + requests}`
}

export const refuseChoice = choiceRecord({
  fields: { operation: z.string(), nth: nthSchema, as: z.enum(names) },
  slot: ({ operation, nth }) => `${operation} ${nth}`,
  sort: ({ as }) => as,
  risk: ({ as }) => refusalOf(as).risk,
  story: ({ operation, nth, as }) => `request ${nth} to ${operation} ${refusalOf(as).words}`,
  met: ({ operation, nth }, { requests }) => requests.has(`${operation} ${nth}`),
  about: () => undefined,
  offers: {
    forPayment: ({ operation, nth }) =>
      names.filter((as) => !refusalOf(as).isElsewhere).map((as) => ({ operation, nth, as })),
    forDay: ({ requests }) =>
      requests
        .filter(({ opens }) => opens === undefined)
        .flatMap(({ operation, nth }) => names.map((as) => ({ operation, nth, as }))),
  },
  effects: {
    fault: ({ operation, nth, as }) => ({
      name: `${operation} ${nth}: ${as}`,
      on: operation,
      when: whenOf({ nth, as }),
      then: refusalOf(as).fault,
    }),
    refuses: (one, operation, nth) =>
      one.operation === operation && one.nth <= nth && nth < one.nth + (refusalOf(one.as).requests ?? 1),
  },
  race: 'ends',
})
