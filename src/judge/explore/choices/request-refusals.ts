/** What becomes of a request that is not executed. To add a refusal, add a record. */
import * as z from 'zod'
import { choiceRecord, keysOf } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'

export interface RefusedRequestRecord {
  words: string
  /** As a fault of the scenario has it. */
  fault: object
  /** So many requests in a row meet it; one unless told. */
  requests?: number
  /** Too much for a request that makes a payment. */
  isElsewhere?: true
}

const requestRefusals = {
  '503': { words: 'is answered 503, and nothing is done', fault: { status: 503 } },
  outage: {
    words: 'and the five that follow are answered 503, and nothing is done',
    fault: { status: 503 },
    requests: 6,
    isElsewhere: true,
  },
  '429': { words: 'is answered 429, and nothing is done', fault: { status: 429 } },
  reset: { words: 'meets a connection that is reset, and nothing is done', fault: { reset: true } },
  empty: { words: 'gets no answer, and nothing is done', fault: { empty: true } },
  revoked: { words: 'is answered 401: all tokens were revoked', fault: { revokeTokens: true } },
} satisfies Record<string, RefusedRequestRecord>
type RefusalName = keyof typeof requestRefusals

function recordOf(name: RefusalName): RefusedRequestRecord {
  return requestRefusals[name]
}

function whenOf({ nth, as }: { nth: number; as: RefusalName }): string {
  const { requests = 1 } = recordOf(as)
  return requests === 1 ? `nth == ${nth}` : `nth >= ${nth} && nth < ${nth + requests}`
}

export const refuseChoice = choiceRecord({
  fields: { operation: z.string(), nth: nthSchema, as: z.enum(keysOf<RefusalName>(requestRefusals)) },
  slot: ({ operation, nth }) => `${operation} ${nth}`,
  sort: ({ as }) => as,
  story: ({ operation, nth, as }) => `request ${nth} to ${operation} ${requestRefusals[as].words}`,
  met: ({ operation, nth }, { requests }) => requests.has(`${operation} ${nth}`),
  about: () => undefined,
  offers: {
    forPayment: ({ operation, nth }) =>
      operation === undefined
        ? []
        : keysOf<RefusalName>(requestRefusals)
            .filter((as) => !recordOf(as).isElsewhere)
            .map((as) => ({ operation, nth, as })),
    forDay: ({ requests }) =>
      requests
        .filter(({ opens }) => opens === undefined)
        .flatMap(({ operation, nth }) => keysOf<RefusalName>(requestRefusals).map((as) => ({ operation, nth, as }))),
  },
  effects: {
    fault: ({ operation, nth, as }) => ({
      name: `${operation} ${nth}: ${as}`,
      on: operation,
      when: whenOf({ nth, as }),
      then: requestRefusals[as].fault,
    }),
    refuses: (one, operation, nth) =>
      one.operation === operation && one.nth <= nth && nth < one.nth + (recordOf(one.as).requests ?? 1),
  },
  race: 'ends',
})
