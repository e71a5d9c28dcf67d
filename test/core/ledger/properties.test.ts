import { expect, test } from 'vitest'
import { step } from '../../../src/core/lifecycle.ts'
import { LANE } from '../../../src/core/model/due.ts'
import { availableMinor, balanceMinor } from '../../../src/core/model/money.ts'
import type { JsonObject, Organisation, Payment } from '../../../src/core/model/payment.ts'
import { SECOND_US } from '../../../src/core/model/time.ts'
import type { Command, CommandKind } from '../../../src/core/perform.ts'
import { Ledger } from '../../../src/core/store/ledger.ts'
import type { World } from '../../../src/core/world.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { atOnce } from '../../support/at-once.ts'
import { unfoundCallbacks } from '../../support/callbacks-of-payments.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { dump, fatedScenario, openWorld, outcomeOf, type ResponseFault } from '../../support/inside.ts'

// Whatever is asked of a world, in whatever order: no money is made or lost, no wallet goes below zero, nothing final
// holds money back, and what was refused has left no trace.

const currencies = ['KES', 'TZS'] as const
const statuses =
  'PENDING SUCCESS FAILED PROCESSING REQUIRES_CUSTOMER_ACTION SUCCEEDED EXPIRED CANCELLED NONSENSE'.split(' ')
const events = [
  ...'SUCCEED FAIL REVERSE CANCEL EXPIRE PAY_CARD PAY_CARD_CHALLENGE PAY_MPESA_STK CONFIRM NONSENSE'.split(' '),
  ...'settle'.split(' '),
]

/** From a cent to far more than any wallet holds. */
const amount = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 60_000 }),
  fc.constantFrom(10_000, 99_999_999_999_999),
)
const delay = fc.constantFrom(null, 0, SECOND_US, 7 * SECOND_US, 60 * SECOND_US)
const fate: fc.Arbitrary<ResponseFault> = fc.record({
  refused: fc.constantFrom(false, false, false, false, true),
  afterUs: delay,
  end: fc.constantFrom('SUCCESS', 'SUCCEEDED', 'FAILED'),
  revise: fc.option(
    fc.record({
      afterUs: fc.constantFrom(0, SECOND_US, 10 * SECOND_US),
      end: fc.constantFrom('FAILED', 'SUCCESS'),
      with: fc.constant({}),
    }),
  ),
  payAfterUs: delay,
})

/** Organisations and payments are picked by number, among those that there are by then. */
type Ask =
  | {
      ask: 'pay'
      kind: (typeof paymentsService.kinds.names)[number]
      by: number
      to: number
      currency: (typeof currencies)[number]
      amount: number
      fate: ResponseFault
      told: string | null
      reference: string | null
    }
  | { ask: 'fund'; by: number; currency: (typeof currencies)[number]; amount: number }
  | { ask: 'advance'; byUs: number }
  | { ask: 'resolve'; payment: number; status: string }
  | { ask: 'signal'; payment: number; event: string }
  | { ask: 'organisation'; username: string }

const number = fc.nat(30)
const anything: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      ask: fc.constant('pay' as const),
      kind: fc.constantFrom(...paymentsService.kinds.names),
      by: number,
      to: number,
      currency: fc.constantFrom(...currencies),
      amount,
      fate,
      told: fc.constantFrom(null, 'http://merchant.example/noted', 'http://merchant.example/broken'),
      reference: fc.constantFrom(null, null, 'invoice-1'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant('fund' as const),
      by: number,
      currency: fc.constantFrom(...currencies),
      amount,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: fc.constant('advance' as const),
      byUs: fc.constantFrom(0, SECOND_US, 8 * SECOND_US, 3600 * SECOND_US),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ask: fc.constant('resolve' as const),
      payment: number,
      status: fc.constantFrom(...statuses),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ask: fc.constant('signal' as const), payment: number, event: fc.constantFrom(...events) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ask: fc.constant('organisation' as const), username: fc.constantFrom('asha', 'juma') }),
  },
)
const asks = fc.array(anything, { minLength: 1, maxLength: 40 })
const assumptions = fc.record({
  'funds-check': fc.constantFrom('at-creation' as const, 'at-settlement' as const),
  'duplicate-reference': fc.constantFrom('second-payment' as const, 'refuse' as const, 'replay' as const),
  'final-callback': fc.constantFrom('final' as const, 'pending-too' as const),
})

const OPENING = { KES: 100_000, TZS: 50_000, UGX: 0 }
function open(chosen: Parameters<typeof fatedScenario>[0]) {
  const retry = { attempts: 3, backoffUs: [SECOND_US, 5 * SECOND_US], timeoutMs: 1000, loseAnswers: 0 }
  const callbacks = { ...retry, concurrency: 64, gapUs: 0, signatureTime: 'real' as const }
  return openWorld(fatedScenario({ ...chosen, wallets: OPENING, callbacks }), {
    answer: (url) => (url.endsWith('broken') ? 500 : 200),
  })
}

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)]

const organisation = (world: World, at: number) => pick(world.core.store.organisations.all(), at) as Organisation
const payments = (world: World) => [...world.core.store.payments.each({})]

/** Says what an ask comes to in a world as it is now: which organisation, which payment. Doing it may come later. */
function prepare(world: World, ask: Ask): () => Promise<unknown> {
  if (ask.ask === 'advance') return () => world.runClock({ to: (nowUs) => nowUs + ask.byUs })
  const command = commandOf(world, ask)
  return () => world.perform(command)
}

function commandOf(world: World, ask: Exclude<Ask, { ask: 'advance' }>): { command: CommandKind } & Command {
  if (ask.ask === 'pay') return opening(world, ask)
  if (ask.ask === 'fund')
    return {
      command: 'fund-wallet',
      organisationId: organisation(world, ask.by).id,
      currency: ask.currency,
      amountMinor: ask.amount,
    }
  if (ask.ask === 'organisation') {
    const user = {
      username: ask.username,
      userType: 'API_USER',
      firstName: 'A',
      lastName: 'B',
      email: 'a@b.example',
      roles: ['ADMIN'],
    }
    return {
      command: 'create-organisation',
      parentId: 1,
      name: ask.username,
      email: 'a@b.example',
      phoneNumber: '254700000001',
      user,
    }
  }
  const uuid = pick(payments(world), ask.payment)?.uuid ?? 'no payment yet'
  if (ask.ask === 'resolve') return { command: 'resolve-payment', uuid, status: ask.status }
  return { command: 'signal-payment', uuid, event: ask.event, by: 'payer' }
}

function opening(
  world: World,
  ask: Extract<Ask, { ask: 'pay' }>,
): Command<'open-payment'> & { command: 'open-payment' } {
  const [from, to] = [organisation(world, ask.by), organisation(world, ask.to)]
  return {
    command: 'open-payment',
    kind: ask.kind,
    organisationId: from.id,
    ...(ask.kind.endsWith('allocation') && { counterpartyId: to.id }),
    currency: ask.currency,
    amountMinor: ask.kind === 'account-verification' ? 0 : ask.amount,
    request: {
      fate: ask.fate as JsonObject,
      amount: ask.amount / 100,
      phoneNumber: '254712345678',
      businessNumber: '400200',
      accountNumber: '0123456789',
      creditAccountNumber: '0123456789',
      bankCode: '0001',
      beneficiaryName: 'ASHA JUMA',
      fromOrganisationId: from.uuid,
      toOrganisationId: to.uuid,
    },
    ...(ask.told !== null && { callbackUrl: ask.told }),
    ...(ask.reference !== null && { referenceId: ask.reference }),
  }
}

/** What a payment in its present state has done to wallets, by the meaning of its kind and status alone. */
function effects(payment: Payment): { organisationId: number; minor: number }[] {
  const { kind, status, organisationId, amountMinor } = payment
  if (status !== 'SUCCESS' && status !== 'SUCCEEDED') return []
  if (kind === 'account-verification') return []
  if (kind === 'stk' || kind === 'checkout' || kind === 'bank-collection')
    return [{ organisationId, minor: amountMinor }]
  if (kind === 'allocation' || kind === 'de-allocation') {
    return [
      { organisationId, minor: -amountMinor },
      { organisationId: payment.counterpartyId as number, minor: amountMinor },
    ]
  }
  return [{ organisationId, minor: -amountMinor }]
}

function add(sums: Map<string, number>, key: string, minor: number) {
  sums.set(key, (sums.get(key) ?? 0) + minor)
}

/** What a wallet should hold and have free, from what was funded and the states of all payments. */
function modelOf(world: World, funded: Map<string, number>) {
  const balances = new Map(funded)
  const reserved = new Map<string, number>()
  const early = world.core.scenario.assumptions['funds-check'] === 'at-creation'
  for (const payment of payments(world)) {
    for (const { organisationId, minor } of effects(payment))
      add(balances, `${organisationId} ${payment.currency}`, minor)
    const payout = ['send-money', 'till', 'paybill', 'bank-payout'].includes(payment.kind)
    if (early && payout && payment.status === 'PENDING')
      add(reserved, `${payment.organisationId} ${payment.currency}`, payment.amountMinor)
  }
  return { balances, reserved }
}

/** Everything that has to hold between any two commands. */
function expectSound(world: World, funded: Map<string, number>) {
  const { ledger, store } = world.core
  expect(atOnce(store.ledger.auditing())).toEqual([])
  expect(unfoundCallbacks(store.sql)).toEqual([])
  expect(ledger.accounts(), 'memory and disk agree').toEqual(store.ledger.storedAccounts())
  const { balances, reserved } = modelOf(world, funded)
  for (const [key, expected] of balances) {
    const [organisationId, currency] = key.split(' ') as [string, (typeof currencies)[number]]
    const wallet = ledger.accounts().find((account) => account.code === `wallet:${organisationId}:${currency}`)
    const found = wallet
      ? { balance: balanceMinor(wallet), available: availableMinor(wallet) }
      : { balance: 0, available: 0 }
    expect(found, key).toEqual({ balance: expected, available: expected - (reserved.get(key) ?? 0) })
    expect(found.available, key).toBeGreaterThanOrEqual(0)
  }
  for (const payment of payments(world)) {
    for (const due of store.agenda.of(LANE.steps, payment.seq)) {
      expect(
        step(paymentsService.kinds.of(payment.kind), payment.status, due.event, { endsWell: true }),
        `${payment.kind} ${payment.status} waits for ${due.event}`,
      ).toBeDefined()
    }
  }
}

function openingBalances() {
  return new Map(currencies.map((currency) => [`1 ${currency}`, OPENING[currency]]))
}

test('no sequence of commands makes money, loses money, overdraws a wallet or leaves a final payment holding any', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(asks, assumptions, async (sequence, chosen) => {
      const world = open({ assumptions: chosen })
      const funded = openingBalances()
      for (const ask of sequence) {
        // What is due now happens, and callbacks are answered, so that whatever changes next is the command's doing.
        await world.runClock({ to: (nowUs) => nowUs })
        const before = dump(world)
        const { refused } = await outcomeOf(prepare(world, ask)())
        if (refused) expect(uncounted(dump(world)), `${refused} leaves no trace`).toEqual(uncounted(before))
        else if (ask.ask === 'fund') add(funded, `${organisation(world, ask.by).id} ${ask.currency}`, ask.amount)
        expectSound(world, funded)
      }
      world.close()
    }),
    { numRuns: draws(150) },
  )
})

test('commands that arrive together end as if they had come one after another', { timeout: 60_000 }, async () => {
  const together = fc.array(fc.array(anything, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(together, assumptions, async (batches, chosen) => {
      const [grouped, single] = [open({ assumptions: chosen }), open({ assumptions: chosen })]
      for (const batch of batches) {
        const commands = batch.filter((ask) => ask.ask !== 'advance').map(withoutBackground)
        // Both worlds pick from what there is before the batch.
        const [there, here] = [grouped, single].map((world) => commands.map((ask) => prepare(world, ask)))
        const outcomes = await Promise.all((there ?? []).map((ask) => outcomeOf(ask())))
        for (const [at, ask] of (here ?? []).entries()) expect(await outcomeOf(ask())).toEqual(outcomes[at])
        for (const { byUs } of batch.filter((ask) => ask.ask === 'advance')) {
          for (const world of [grouped, single]) await world.runClock({ to: (nowUs) => nowUs + byUs })
        }
        expect(dump(grouped)).toEqual(dump(single))
      }
      for (const world of [grouped, single]) world.close()
    }),
    { numRuns: draws(100) },
  )
})

/** Without what a refusal leaves behind after all where a rule made it: it counts as one of the rule's decisions. */
function uncounted(tables: ReturnType<typeof dump>): ReturnType<typeof dump> {
  const counters = tables['counter'] as { name: string }[]
  return { ...tables, counter: counters.filter(({ name }) => !/^(?:decision$|rule:|turn:)/.test(name)) }
}

/** Callbacks, and what is due at once, happen between commands that come one after another, but not within a batch. */
function withoutBackground(ask: Ask): Ask {
  if (ask.ask !== 'pay') return ask
  const { afterUs, payAfterUs, revise } = ask.fate
  const later = (delayUs: number | null | undefined) => (delayUs === 0 ? SECOND_US : (delayUs ?? null))
  const fate = {
    ...ask.fate,
    afterUs: later(afterUs),
    payAfterUs: later(payAfterUs),
    revise: revise ? { ...revise, afterUs: SECOND_US } : null,
  }
  return { ...ask, told: null, fate }
}

test('the balances that a world starts with are those that it stopped with', async () => {
  await fc.assert(
    fc.asyncProperty(asks, async (sequence) => {
      const world = open({})
      for (const ask of sequence) await outcomeOf(prepare(world, ask)())
      const { ledger, store } = world.core
      expect(new Ledger(store).accounts()).toEqual(ledger.accounts())
      world.close()
    }),
    { numRuns: draws(50) },
  )
})

test('what could not be counted exactly is refused', async () => {
  const MAX_AMOUNT_MINOR = 99_999_999_999_999
  const world = open({})
  const fund = () =>
    world.perform({ command: 'fund-wallet', organisationId: 1, currency: 'KES', amountMinor: MAX_AMOUNT_MINOR })
  const outcomes = []
  for (let i = 0; i < 100; i++) outcomes.push((await outcomeOf(fund())).refused)
  expect(outcomes.filter((refused) => refused === 'PAYMENT_LIMIT_EXCEEDED')).toHaveLength(10)
  expectSound(world, new Map([['1 KES', OPENING.KES + 90 * MAX_AMOUNT_MINOR]]))
  world.close()
})
