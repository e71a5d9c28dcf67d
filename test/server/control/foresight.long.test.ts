/** What was foreseen is what then happens: for drawn scenarios, and drawn requests one after the other. */
import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/model/journal.ts'
import type { World } from '../../../src/core/world.ts'
import { paymentPlan } from '../../../src/inspect/present.ts'
import type { Decision } from '../../../src/inspect/trace-text.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const bench = useBench()

const phoneNumber = '254712345678'
const common = { remarks: 'r', occasion: 'o', narration: 'n', description: 'd', accountReference: 'A1' }
/** A request of each kind that is drawn: where it goes, and all but its amount and its address for callbacks. */
const kinds = {
  'send-money': { path: '/api/sandbox/v1/send-money', request: { phoneNumber, currencyCode: 'KSH', ...common } },
  till: { path: '/api/sandbox/v1/till', request: { businessNumber: '12345', ...common } },
  'bank-payout': {
    path: '/api/sandbox/v1/bank/payout/new',
    request: { bankCode: '0068', beneficiaryName: 'JANE', creditAccountNumber: '0123456789', ...common },
  },
  stk: { path: '/api/sandbox/v1/stk/new', request: { phoneNumber, currencyCode: 'KSH', ...common } },
} as const
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]

const party = {
  'send-money': 'phoneNumber',
  till: 'businessNumber',
  'bank-payout': 'creditAccountNumber',
  stk: 'phoneNumber',
}
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 })
const delay = fc.constantFrom('0s', '2s', '3s..40s', '1h')
const selector = (kind: Kind) => ({
  when: maybe(
    fc.constantFrom(
      'request.amount > 300',
      'wallet.available < 1500',
      `history.pending(request.${party[kind]}) == 1`,
      `history.succeeded(request.${party[kind]}) > 0`,
      `history.paidToday(request.${party[kind]}) > 500`,
      'nth > 2',
    ),
  ),
  chance: maybe(fc.constantFrom(0.3, 0.7)),
  nth: maybe(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant({ first: 2 }))),
})
const callback = fc.constantFrom({ delay: '1m' }, { duplicate: 2 }, { drop: true }, { early: true }, { status: 'DONE' })
const ending = fc
  .record({
    after: delay,
    end: fc.constantFrom('SUCCESS', 'FAILED'),
    revise: maybe(fc.constant('2h')),
    twice: maybe(fc.constant(true)),
    answer: maybe(fc.constant({ status: 503 })),
    callback: maybe(callback),
  })
  .map(({ revise, ...then }) => {
    const early = then.callback && 'early' in then.callback ? { after: '0s' } : {}
    return {
      ...then,
      ...early,
      ...(revise && { revise: { after: revise, end: then.end === 'SUCCESS' ? 'FAILED' : 'SUCCESS' } }),
    }
  })
const outcome = fc.oneof(
  { weight: 4, arbitrary: ending },
  { weight: 1, arbitrary: fc.constant({ refuse: { code: 'PAYMENT_LIMIT_EXCEEDED' } }) },
  { weight: 1, arbitrary: fc.constant({ after: 'never' }) },
)
const rule = fc
  .constantFrom(...names)
  .chain((kind) => fc.record({ on: fc.constant(kind), ...selector(kind), then: outcome }))
const fault = fc.record({
  on: fc.constantFrom('createTillPayment', 'createSendMoney'),
  when: maybe(fc.constant('nth > 1')),
  chance: maybe(fc.constantFrom(0.3, 0.7)),
  nth: maybe(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant({ first: 1 }))),
  then: fc.constantFrom({ status: 503 }, { rateLimit: { max: 2, per: '1m' } }, { revokeTokens: { after: '2m' } }),
})
const rails = fc.record({
  limits: maybe(
    fc.constantFrom([{ on: 'till', daily: 900 }], [{ on: 'send-money', perTransaction: 400, then: 'fail' }]),
  ),
  fees: maybe(fc.constant([{ on: ['till', 'send-money'], amount: 10 }])),
  float: maybe(
    fc.constantFrom('hold', 'refuse', 'fail').map((then) => [{ name: 'the purse', on: 'till', amount: 600, then }]),
  ),
})
const scenario = fc.record({
  seed: fc.integer({ min: 1, max: 1000 }),
  wallets: fc.constantFrom({ KES: 2000 }, { KES: 100_000 }),
  rules: fc.array(rule, { maxLength: 5 }),
  faults: fc.array(fault, { maxLength: 2 }),
  rails,
  callbacks: fc.constantFrom({}, { loseAnswers: 1 }, { faults: [{ on: 'any', chance: 0.5, then: { duplicate: 2 } }] }),
  assumptions: fc.constantFrom({}, { 'funds-check': 'at-settlement' }, { 'final-callback': 'pending-too' }),
})
const request = fc.record({
  kind: fc.constantFrom(...names),
  amount: fc.constantFrom(100, 350, 700),
  /** Time runs before the next one comes. */
  settles: fc.boolean(),
})

it('explains what then happens', { timeout: 240_000 }, async (context) => {
  needsProcess('worlds', context)
  await fc.assert(
    fc.asyncProperty(scenario, fc.array(request, { minLength: 1, maxLength: 5 }), async (drawn, requests) => {
      const world = await bench.world({ scenario: nameAll(drawn) })
      await world.token()
      for (const { kind, amount, settles } of requests) {
        const body = { ...kinds[kind].request, amount, callbackUrl: bench.receiver.url() }
        const question = { kind, request: body }
        // What is due now has happened and is told.
        await world.advance('0s')
        const before = JSON.stringify(stored(world.inside))
        const explained = await world.control('POST', '/scenario/explain', question)
        expect(JSON.stringify(stored(world.inside)) === before, 'nothing is left of the questions').toBe(true)

        const answer = await world.post(kinds[kind].path, body)
        const entry = entryOf(world.inside, answer.headers)
        expect(explainedOutcome(explained)).toEqual(outcomeOf(world.inside, entry))
        if (!settles) continue
        await world.control('POST', '/clock/settle', { within: '30d' })
        expect(changes(explained.story)).toEqual(await happened(world, entry.paymentSeq))
        world.logout()
      }
    }),
    { numRuns: draws(60) },
  )
})

/** Every rule and fault has a name of its own. */
// biome-ignore lint/suspicious/noExplicitAny: a drawn scenario is as loose as one in a file
function nameAll({ rules, faults, callbacks, ...rest }: any): object {
  const clean = (value: unknown) => JSON.parse(JSON.stringify(value))
  const named = (all: object[], word: string) => all.map((one, i) => ({ name: `${word} ${i}`, ...one }))
  const told = callbacks.faults ? { faults: named(callbacks.faults, 'callback fault') } : callbacks
  return clean({
    name: 'drawn',
    description: 'Drawn.',
    ...rest,
    rules: named(rules, 'rule'),
    faults: named(faults, 'fault'),
    callbacks: told,
  })
}

/** All that a question could have left behind: rows, counters, balances, events. */
function stored({ core, feed }: World): unknown {
  const { sql, counters } = core.store
  const tables = sql.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return {
    rows: tables.map(({ name }) => sql.prepare(`SELECT * FROM ${name}`).all()),
    counters: counters.withPrefix('').map((name) => [name, counters.current(name)]),
    accounts: core.ledger.accounts(),
    newest: feed.newest,
    clock: core.clock.now(),
  }
}

function entryOf(world: World, headers: Headers): JournalEntry {
  const seq = Number.parseInt(headers.get('mfano-request-id')?.slice(4, 11) ?? '', 36)
  return world.core.store.journal.bySeq(seq) as JournalEntry
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the control plane
function explainedOutcome({ decisions, rule, refuse, plan }: any): object {
  const met = decisions.find((one: Decision) => one.about === 'answer' && one.outcome === 'met')
  if (met && !refuse && !plan) return { fault: met.name }
  if (refuse?.status === 402) return { refused: 402 }
  if (refuse) return { refused: refuse.status, code: refuse.code, rule }
  return { rule, plan }
}

/** The same of the request that was really made. */
function outcomeOf(world: World, { paymentSeq, status, responseBody, rule, notes }: JournalEntry): object {
  if (paymentSeq === null) {
    if (notes?.fault?.includes('not executed')) return { fault: rule }
    return status === 402
      ? { refused: 402 }
      : { refused: status, code: /[A-Z]+(?:_[A-Z]+)+/.exec(responseBody ?? '')?.[0], rule }
  }
  const payment = world.core.store.payments.bySeq(paymentSeq)
  return { rule: payment?.plan.rule, plan: payment && JSON.parse(JSON.stringify(paymentPlan(payment.plan))) }
}

interface Step {
  at: string
  station: string
  from?: string | null
  to?: string
  status?: number | null
}

/** Changes of state and attempts, without the ids of the copy. Each stamp of an instant is a microsecond later. */
function changes(story: readonly Step[]): string[] {
  return story.flatMap(({ at: stamp, station, from, to, status }) => {
    const at = stamp.slice(0, '2025-01-24T16:28:00.000'.length)
    if (station === 'transition') return from === null ? [] : [`${at} ${to}`]
    return station === 'attempt' ? [`${at} callback ${status}`] : []
  })
}

/** The same of the payment in the world, and of the second one of the same request. */
async function happened(world: TestWorld, seq: number | null): Promise<string[]> {
  const { payments } = world.inside.core.store
  const first = seq === null ? undefined : payments.bySeq(seq)
  const made = [first, first?.plan.twice ? payments.bySeq(first.seq + 1) : undefined]
  const stories: Step[][] = []
  for (const payment of made)
    if (payment) stories.push((await world.control('GET', `/payments/${payment.uuid}/explain`)).story)
  return changes(stories.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)))
}
