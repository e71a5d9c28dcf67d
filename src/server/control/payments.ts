import * as z from 'zod'
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { inSteps } from '../../core/host.ts'
import { legalEvents, statesOf } from '../../core/lifecycle.ts'
import { zonedText } from '../../core/model/calendar.ts'
import { toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import { didYouMean, type Hint, hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Command } from '../../core/perform.ts'
import type { World } from '../../core/world.ts'
import { validate } from '../../http/validate.ts'
import {
  endingOfStatus,
  endings,
  explainedShape,
  explainPayment,
  explanation,
  explanationText,
  storyShape,
} from '../../inspect/explain-payment.ts'
import {
  accountCodes,
  callbackDetail,
  jsonObjectShape,
  paymentPlan,
  paymentSummary,
  record,
  timeline,
  transferShown,
} from '../../inspect/present.ts'
import { searchPayments } from '../../inspect/search.ts'
import { decisionShape, explainTrace } from '../../inspect/trace-text.ts'
import { type Reader, view } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { organisationOf, prefers } from './control-context.ts'
import { controlOperation, type OperationInput } from './declared-operation.ts'
import { anyJson, instant, listLimit, oneOf, pageBefore, searched } from './fields.ts'
import { asRequest } from './placed.ts'

function statusesOf(): string[] {
  return [...new Set([...paymentsService.kinds].flatMap((kind) => statesOf(kind)))].sort()
}

const amount = z.coerce
  .number('must be a number')
  .refine((major) => toMinor(major) !== undefined, 'must be an amount with at most two decimals')
  .transform((major) => must(toMinor(major)))

const listOf = () =>
  z.strictObject({
    kind: z.enum(paymentsService.kinds.names).optional().describe('Only those of one kind.'),
    status: oneOf(statusesOf()).optional().describe('Only those in this state.'),
    outcome: z
      .enum(endings)
      .optional()
      .describe('Only those that ended so, or are open, whatever their kind calls it.'),
    since: instant.optional().describe('Created from this simulated time on.'),
    until: instant.optional().describe('Created up to this simulated time.'),
    minAmount: amount.optional().describe('Only those of at least this amount.'),
    maxAmount: amount.optional().describe('Only those of at most this amount.'),
    organisationId: z.string().optional().describe('Only those of one organisation, by its uuid.'),
    referenceId: z.string().optional().describe('Only those with this reference.'),
    search: searched('Part of its uuid, request, reference or record, in any case. A phone may have any spelling.'),
    limit: listLimit,
    before: pageBefore,
  })

const resolution = z.strictObject({
  status: z.string().min(1).describe('A state that the payment may come to from where it is.'),
  with: z.record(z.string(), anyJson).optional().describe('Fields of its record, such as an errorCode.'),
})

const asked = z.strictObject({
  format: z.enum(['json', 'text'], 'must be json or text').optional().describe('Else as the Accept header says.'),
})

/** Parameters of `payment.collect`. */
export const sampleCollection = {
  way: must(paymentsService.collections[0]).way,
  phoneNumber: '254712345678',
  amount: 150,
}

const named = ['uuid', 'kind', 'status', 'amount', 'referenceId', 'rule'] as const

const columns = [...named, 'reason.says=reason', 'createdAt'] as const

type PaymentContext = Pick<OperationInput, 'world' | 'env' | 'operations'>

const paymentDetail = view('PaymentDetail', (read: Reader<Payment, PaymentContext>) => ({
  ...paymentSummary.fields(({ world }: PaymentContext) => world.core),
  record: read(
    z.record(z.string(), z.unknown()).nullable().describe("As the service's own read gives it; null if it has none."),
    (payment, { world }) => record(world.core, payment),
  ),
  request: jsonObjectShape(),
  plan: read(paymentPlan.schema().describe('Decision of the scenario.'), ({ plan }) => paymentPlan(plan)),
  trace: read(
    z.array(decisionShape()).describe('Each rule up to the one that decided, and why it did not.'),
    ({ plan, kind }, { world }) => explainTrace(decidingVersion(world.core, { plan }).rules, kind, plan.trace),
  ),
  timeline: read(timeline.schema(), (payment, { world }) => timeline(payment, world.core)),
  possible: read(
    z.array(z.object({ event: z.string(), leadsTo: z.string() })).describe('Events that it accepts now.'),
    (payment, { world }) => legalEvents(kindOf(world.core, payment), payment.status),
  ),
  transfers: read(z.array(transferShown.schema()), ({ seq }, { world: { core } }) => {
    const code = accountCodes(core)
    return core.ledger.transfersOf(seq).map((transfer) => transferShown(transfer, code))
  }),
  callbacks: read(z.array(callbackDetail.schema()), ({ seq }, { world: { core } }) =>
    core.store.callbacks.ofPayment(seq).map((callback) => callbackDetail(callback, core)),
  ),
  explanation: read(storyShape().describe('Why it is where it is.'), (payment, { world, env, operations }) =>
    explanation(world, payment, env.baseUrl, asRequest(operations, env.baseUrl)),
  ),
}))

const ofPayment = {
  params: { id: 'A payment: its uuid, your reference, its number, a receipt, or the id of its request or callback.' },
  errors: ['AMBIGUOUS_ID'],
} as const

const paymentScreen = {
  facts: [...named, 'plan.after=ends in', 'plan.end=ends as', 'request'],
  parts: {
    'timeline.happened': ['Timeline', ['at', 'event', 'status', 'by']],
    'timeline.due': ['Due', ['at', 'event']],
    transfers: ['Money', ['kind=movement', 'debit=from', 'credit=to', 'amount', 'state:word', 'settledAt']],
    callbacks: [
      'Callbacks',
      ['id', 'state', 'attempts=tries', 'lastAttempt.status=answered:status', 'lastAttempt.error', 'url=to'],
    ],
  },
} as const

export const paymentOperations = [
  controlOperation('payment.list', 'GET /payments', {
    summary: 'List payments, newest first',
    description: 'Each has its kind, status, amount, reference and the rule that decided.',
    agent: { tool: 'list_payments' },
    query: listOf,
    answer: () =>
      z.object({
        total: z.number().nullable(),
        next: z.number().nullable(),
        payments: z.array(paymentSummary.schema()),
      }),
    list: {
      rows: 'payments',
      none: hintOf('No payments yet. Send one from your app, or simulate one: {}', 'payment.collect', sampleCollection),
      columns,
    },
    screen: {
      examples: [
        '--status FAILED',
        '--outcome failed --min-amount 10000 --since 2025-01-24',
        '--csv > payments.csv',
        '--kind till --limit 5 --world shop',
        "--json | jq -r '.payments[].uuid'",
      ],
    },
    async run({ world, signal, query }) {
      const { kind, status, outcome, organisationId, referenceId, search: texts, since, until, limit, before } = query
      const { core } = world
      const filter = {
        ...(kind && { kinds: [kind] }),
        ...(status && { status }),
        ...(outcome && { statuses: statusesOf().filter((one) => endingOfStatus(one) === outcome) }),
        sinceUs: since,
        untilUs: until,
        leastMinor: query.minAmount,
        mostMinor: query.maxAmount,
        ...(organisationId && { organisationIds: [organisationOf(world, organisationId).id] }),
        ...(referenceId && { referenceId }),
      }
      const { found, next } = await searchPayments(world, { ...filter, texts }, { limit, before })
      // How many hold a text is known when everything was looked through.
      const looked = next === null && before === undefined ? found.length : null
      return {
        total: texts ? looked : await inSteps(world.host, core.store.payments.counting(filter), signal),
        next,
        payments: found.map((payment) => paymentSummary(payment, core)),
      }
    },
  }),
  controlOperation('payment.show', 'GET /payments/:id', {
    summary: 'Show one payment with every detail',
    ...ofPayment,
    answer: paymentDetail.schema,
    screen: { ...paymentScreen, examples: ['salary-1', 'salary-1 --json'] },
    run: (given) => paymentDetail(findPayment(given.world, given.params.id), given),
  }),
  controlOperation('payment.explain', 'GET /payments/:id/explain', {
    summary: 'Explain why a payment has its status',
    description: 'It says what the payment waits for, and what to do.',
    agent: { tool: 'explain_payment' },
    ...ofPayment,
    query: asked,
    answer: explainedShape,
    answers: { 'text/plain': 'For people.' },
    screen: { examples: ['salary-1', 'salary-1 --world shop'] },
    async run({ c, env: { baseUrl }, world, params, query, operations }) {
      const explained = explainPayment(world, findPayment(world, params.id), baseUrl, asRequest(operations, baseUrl))
      const { format } = query
      const plain = format === undefined && prefers(c, 'text/plain')
      return plain || format === 'text' ? c.text(explanationText(explained)) : explained
    },
  }),
  controlOperation('payment.resolve', 'POST /payments/:id/resolve', {
    summary: 'End a pending payment',
    ...ofPayment,
    body: resolution,
    answer: paymentDetail.schema,
    errors: [...ofPayment.errors, 'ILLEGAL_TRANSITION', 'INSUFFICIENT_FUNDS'],
    screen: {
      ...paymentScreen,
      words: ['status'],
      examples: ['salary-1 FAILED', `salary-1 SUCCESS --with '{"receiverName":"JANE WANJIKU"}'`],
    },
    async run(given) {
      const { world, params, body } = given
      const { status, with: extra } = body
      const { uuid } = findPayment(world, params.id)
      const payment = await world.perform({
        command: 'resolve-payment',
        uuid,
        status,
        ...(extra && { with: extra }),
      })
      return paymentDetail(payment, given)
    },
  }),
  // No service call starts such payments, so without this the service's lists of them stay empty.
  controlOperation('payment.collect', 'POST /collections/:way', {
    summary: 'Simulate a customer payment',
    description: 'The scenario decides how it ends. Settle the clock to come there.',
    agent: { tool: 'pay_in' },
    params: { way: 'How: stk, tz or bank.' },
    body: z.looseObject({}),
    takes: () => z.union(paymentsService.collections.map(({ given }) => given)),
    answer: paymentSummary.schema,
    status: 201,
    errors: ['PAYMENT_LIMIT_EXCEEDED'],
    otherErrors: 'The refusal of a rule of the scenario.',
    screen: {
      columns,
      says: ({ uuid }) => hintOf('Follow it: {}', 'payment.explain', { id: uuid }),
      examples: [
        'stk 254712345678 500 --callback http://localhost:3000/done',
        'tz 255712345678 20000',
        "bank 12500 --description 'Invoice 7'",
      ],
    },
    async run({ world, params: { way }, body }) {
      const collection = paymentsService.collections.find((one) => one.way === way)
      if (!collection)
        throw new Refusal(
          'NOT_FOUND',
          `no customer pays by ${JSON.stringify(way)}; possible: ${paymentsService.collections.map((one) => one.way).join(', ')}`,
        )
      const given = validate(collection.given, body)
      const { organisationId } = given
      const organisation = organisationOf(world, typeof organisationId === 'string' ? organisationId : undefined)
      const { payment } = await world.perform(openCollectionCommand(world.core, collection, organisation, given))
      return paymentSummary(payment, world.core)
    },
  }),
] as const

const LOOKED_AT = 1000
const NAMED = 5

/**
 * Accepts a uuid, the merchant's reference, the service's number, a request's or callback's id, or anything its record
 * prints: a receipt, a conversation id, a checkout reference. Throws a `Refusal` that names the nearest candidates.
 */
export function findPayment(world: World, id: string): Payment {
  const { payments, journal, callbacks } = world.core.store
  const byUuid = payments.byUuid(id.toLowerCase())
  if (byUuid) return byUuid
  const bySeq = (seq: number | null | undefined) => payments.bySeq(seq ?? 0) ?? []
  const ways = [
    () => payments.byReference(id),
    () => (/^\d{1,15}$/.test(id) ? payments.byId(Number(id)) : []),
    () => bySeq(journal.byRequestId(id)?.paymentSeq),
    () => bySeq(callbacks.byUid(id)?.paymentSeq),
    () => byRecord(world.core, id) ?? [],
  ]
  for (const way of ways) {
    const [first, ...others] = [way()].flat()
    if (first && others.length > 0) throw ambiguous(world, id, [first, ...others])
    if (first) return first
  }
  throw notFound(world, id)
}

/** Finds derived ids, which are computed for each record and not stored. */
function byRecord(core: Core, id: string): Payment | undefined {
  const { payments } = core.store
  const [seq] = [...core.service.kinds].flatMap(({ page }) => page?.seqOf(core, id) ?? [])
  const known = seq === undefined ? payments.byOutcome(id) : payments.bySeq(seq)
  return known ?? newest(core).find((payment) => printed(core, payment).includes(JSON.stringify(id)))
}

function printed(core: Core, payment: Payment): string {
  const reference = kindOf(core, payment).page?.publicRef(core, payment)
  return `${JSON.stringify(record(core, payment))}${JSON.stringify(reference) ?? ''}`
}

function newest(core: Core): Payment[] {
  return core.store.payments.page({}, { limit: LOOKED_AT, newestFirst: true })
}

function ambiguous({ core }: World, id: string, found: readonly Payment[]): Refusal {
  const named = found
    .slice(0, NAMED)
    .map((p) => `${p.uuid} (${p.kind}, ${p.status}, ${zonedText(p.createdAtUs, core.scenario.zone)})`)
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : ''
  return new Refusal(
    'AMBIGUOUS_ID',
    `${found.length} payments have the id "${id.slice(0, 80)}": ${named.join(', ')}${more}. Ask by uuid.`,
  )
}

function notFound(world: World, id: string): Refusal {
  const told = refused(world, id) ?? nearest(world.core, id)
  const { text = '', hints = [] } = told ?? { hints: [hintOf('{} lists them.', 'payment.list')] }
  return new Refusal('NOT_FOUND', `no payment has the id "${id.slice(0, 80)}". ${text}`.trimEnd(), { hints })
}

interface Guess {
  text?: string
  hints?: Hint[]
}

function refused(world: World, id: string): Guess | undefined {
  const { journal } = world.core.store
  const entry =
    journal.byRequestId(id) ??
    journal
      .page({ method: 'POST', limit: LOOKED_AT, newestFirst: true })
      .find(({ requestBody, paymentSeq }) => paymentSeq === null && requestBody?.includes(JSON.stringify(id)))
  if (!entry) return undefined
  const by = entry.rule === null ? '' : ` by the rule "${entry.rule}"`
  const { requestId, method, path, status } = entry
  return {
    text: `The request ${requestId} (${method} ${path.split('?')[0]}) made none: it was answered ${status}${by};`,
    hints: [hintOf('{} shows it.', 'requests.list', { requestId })],
  }
}

function nearest(core: Core, id: string): Guess | undefined {
  const known = newest(core).flatMap(({ uuid, referenceId }) => (referenceId === null ? [uuid] : [uuid, referenceId]))
  const begun = id.length < 4 ? undefined : known.find((one) => one.startsWith(id.toLowerCase()))
  const guess = begun === undefined ? didYouMean(id, known).trim() : `Did you mean "${begun}"?`
  return guess === '' ? undefined : { text: guess }
}

export function openCollectionCommand(
  core: Core,
  collection: (typeof paymentsService)['collections'][number],
  organisation: Organisation,
  given: unknown,
): Command<'open-payment'> {
  return {
    command: 'open-payment',
    by: 'operator',
    kind: collection.kind,
    organisationId: organisation.id,
    ...collection.asked(core, given, organisation),
  }
}
