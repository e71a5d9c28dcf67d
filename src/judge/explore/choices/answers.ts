import * as z from 'zod'
import { openStates, start } from '../../../core/lifecycle.ts'
import { spelledAs } from '../../../core/model/callback-fault.ts'
import { asJson } from '../../../core/model/json.ts'
import { keysIn, must } from '../../../core/model/must.ts'
import { paymentsService } from '../../../service/service.ts'
import type { RiskName } from '../../subject/risks.ts'
import type { Unseen } from '../happened.ts'
import { choiceRecord, kindSchema, nthSchema } from './choice-record.ts'

// Fates of the answer to the request that made a payment. To add a fate, add a record.

export interface FateRecord {
  words: string
  /** Fates of one sort leave an app to guess in the same way. */
  sort: 'missing' | '5xx' | 'page' | 'held'
  /** As a rule has it. Without one, the answer waits until all else that follows has happened, which no scenario says. */
  answer?: object | 'lost' | 'reset' | undefined
}

function made(words: string, sort: FateRecord['sort'], answer: FateRecord['answer']): FateRecord {
  return { words: `the payment is made, and ${words}`, sort, answer }
}

const answerFates = {
  lost: made('the connection closes before a byte of its answer arrives', 'missing', 'lost'),
  reset: made('the connection is reset before its answer', 'missing', 'reset'),
  '500': made('answered 500 all the same', '5xx', { status: 500 }),
  '503': made('answered 503 all the same', '5xx', { status: 503 }),
  '502-page': made("answered 502 with a gateway's HTML page all the same", 'page', { status: 502, html: true }),
  '504-page': made("answered 504 with a gateway's HTML page all the same", 'page', { status: 504, html: true }),
  held: { words: 'the answer comes after what follows from the payment, its callback included', sort: 'held' },
} satisfies Record<string, FateRecord>
type FateName = keyof typeof answerFates
/** Lost answers first. By itself, an object has numbers before all other keys. */
const fateNames = keysIn(answerFates).toSorted((a, b) => Number(Number(a) > 0) - Number(Number(b) > 0))

function unseenFate(name: FateName): Unseen | undefined {
  const { answer }: FateRecord = answerFates[name]
  return typeof answer === 'object' ? undefined : (answer ?? 'held')
}

export const answerChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema, as: z.enum(fateNames) },
  sort: ({ as }) => answerFates[as].sort,
  risk: ({ as }) => (answerFates[as].sort === 'held' ? 'order' : 'lost-answers'),
  story: ({ kind, nth, as }) => `${kind} ${nth}: ${answerFates[as].words}`,
  offersForPayment: ({ kind, nth }) => fateNames.map((as) => ({ kind, nth, as })),
  plan: ({ as }, planned) => {
    const { answer }: FateRecord = answerFates[as]
    return answer && { ...planned, answer }
  },
  unseen: ({ as }) => unseenFate(as),
})

const before = new Map<string, string>()
for (const kind of paymentsService.kinds)
  for (const end of kind.ends) if (!before.has(end)) before.set(end, beginningOf(kind))

function beginningOf(kind: Parameters<typeof start>[0]): string {
  const { status } = start(kind, { endsWell: true })
  return openStates.find((open) => open === status) ?? openStates[0]
}

function staleBody(body: string): string {
  return body.replace(/("status":\s*")(\w+)(")/g, (whole, head: string, status: string, tail: string) => {
    const earlier = before.get(status)
    return earlier === undefined ? whole : head + earlier + tail
  })
}

// Faults of any request, or of its answer. To add one, add a record.

export interface RequestRecord {
  words: string
  risk: RiskName
  /** Requests that it can happen to. Default: all. */
  of?: 'changes' | 'reads'
  /** Not to a request for a payment. */
  isElsewhere?: true
  /** So many requests in a row meet it; one unless told. */
  requests?: number
  fault?: { after?: true; then: object }
  isHeld?: true
  rewrites?(body: string): string
}

/** `isRefusal`: the request is not executed. */
function requestChoice(records: Readonly<Record<string, RequestRecord>>, isRefusal: boolean) {
  const names = Object.keys(records)
  const recordAs = (as: string) => must(records[as])
  const offered = (operation: string, nth: number, opens: boolean) => {
    const isRead = paymentsService.operations.find(({ id }) => id === operation)?.method.toUpperCase() === 'GET'
    const isFor = ({ of, isElsewhere }: RequestRecord) =>
      !(opens && isElsewhere) && (of === undefined || (of === 'reads') === isRead)
    return names.filter((as) => isFor(recordAs(as))).map((as) => ({ operation, nth, as }))
  }
  const isAt = (one: { operation: string; nth: number; as: string }, operation: string, nth: number) =>
    one.operation === operation && one.nth <= nth && nth < one.nth + (recordAs(one.as).requests ?? 1)
  return choiceRecord({
    fields: { operation: z.string(), nth: nthSchema, as: z.enum(names) },
    risk: ({ as }) => recordAs(as).risk,
    story: ({ operation, nth, as }) => `request ${nth} to ${operation} ${recordAs(as).words}`,
    offersForPayment: ({ operation, nth }) => offered(operation, nth, true),
    offersForDay: ({ requests }) =>
      requests
        .filter(({ opens }) => opens === undefined)
        .flatMap(({ operation, nth }) => offered(operation, nth, false)),
    fault: ({ operation, nth, as }) => {
      const { fault, requests = 1 } = recordAs(as)
      const when = requests === 1 ? `nth == ${nth}` : `nth >= ${nth} && nth < ${nth + requests}`
      return fault && { name: `${operation} ${nth}: ${isRefusal ? '' : 'answer '}${as}`, on: operation, when, ...fault }
    },
    refuses: (one, operation, nth) => isRefusal && isAt(one, operation, nth),
    holds: (one, operation, nth) => recordAs(one.as).isHeld === true && isAt(one, operation, nth),
    rewrites: (one, operation, nth) => (isAt(one, operation, nth) ? recordAs(one.as).rewrites : undefined),
    ...(isRefusal && { race: 'ends' }),
  })
}

interface Failing {
  words: string
  then: object
  /** Left out where it stands in the place of an answer: it is a refusal then. */
  risk?: RiskName
  /** Only of a request that is not executed. */
  isRefusal?: true
}

/** A test misses a fault of answers that is not tried. */
const failing: Readonly<Record<string, Failing>> = {
  '400': { words: 'is answered 400', then: { status: 400 }, isRefusal: true },
  '429': { words: 'is answered 429', then: { status: 429 }, isRefusal: true },
  '500': { words: 'is answered 500', then: { status: 500 } },
  '503': { words: 'is answered 503', then: { status: 503 } },
  '502-page': { words: "is answered 502 with a gateway's HTML page", then: { status: 502, html: true } },
  '504-page': { words: "is answered 504 with a gateway's HTML page", then: { status: 504, html: true } },
  trickle: { words: 'is answered byte by byte', then: { slowBody: { bytesPerSecond: 4000 } }, risk: 'lateness' },
  cut: { words: 'is answered with half a body', then: { truncate: 0.5 }, risk: 'lost-answers' },
  reset: { words: 'meets a connection that is reset', then: { reset: true } },
  empty: { words: 'gets no answer', then: { empty: true } },
  revoked: { words: 'is answered 401, for all tokens were revoked', then: { revokeTokens: true }, isRefusal: true },
}

function recordsOf(make: (one: Failing) => RequestRecord | undefined): Record<string, RequestRecord> {
  const made = Object.entries(failing).map(([name, one]) => [name, make(one)] as const)
  return Object.fromEntries(made.flatMap(([name, record]) => (record ? [[name, record]] : [])))
}

/** The request is executed. */
const spoilt: Readonly<Record<string, RequestRecord>> = {
  ...recordsOf(({ words, then, risk, isRefusal }) => {
    const told = `is executed, and ${words}`
    if (isRefusal) return undefined
    if (risk) return { words: told, risk, fault: { then } }
    // In the place of a read's answer it is as if nothing had been done.
    return { words: told, risk: 'lost-answers', of: 'changes', isElsewhere: true, fault: { after: true, then } }
  }),
  held: {
    words: 'is executed, and answered after all that follows from it',
    risk: 'lateness',
    isElsewhere: true,
    isHeld: true,
  },
  stale: {
    words: 'is answered as it was before payments had ended',
    risk: 'lateness',
    of: 'reads',
    isElsewhere: true,
    rewrites: staleBody,
  },
  respelled: {
    words: 'is answered with the same JSON in another spelling',
    risk: 'surprises',
    rewrites: (body) =>
      typeof asJson(body) === 'string' ? body : spelledAs(body, ['order', 'blanks', 'escapes', 'decimals']),
  },
}

/** Nothing is done. */
const refusals: Readonly<Record<string, RequestRecord>> = {
  ...recordsOf(({ words, then, risk }) =>
    risk ? undefined : { words: `${words}, and nothing is done`, risk: 'refusals', fault: { then } },
  ),
  outage: {
    words: 'and the five that follow are answered 503, and nothing is done',
    risk: 'refusals',
    requests: 6,
    isElsewhere: true,
    fault: { then: { status: 503 } },
  },
}

export const spoilChoice = requestChoice(spoilt, false)
export const refuseChoice = requestChoice(refusals, true)
