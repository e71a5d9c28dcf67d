import { expect, test } from 'vitest'
import { getSimplePaths } from 'xstate/graph'
import { delayNames, eventsOf, isWait, legalEvents, statesOf } from '../../../src/core/lifecycle.ts'
import type { JsonObject, PaymentKind } from '../../../src/core/model/payment.ts'
import { SECOND_US } from '../../../src/core/model/time.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { sample } from '../../support/fast-check.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { dump, fatedScenario, outcomeOf, type ResponseFault } from '../../support/inside.ts'

// Every way through every lifecycle, walked on a real world: XState finds the ways, the world has to go them.

const bench = useBench()

interface Way {
  kind: PaymentKind
  endsWell: boolean
  /** Events from outside, and waits, by name. */
  events: string[]
  /** The state after each event, the first one included. */
  states: string[]
}

/** XState's own event says the wait and the state. */
function named(event: string): string {
  return /^xstate\.after\.(\w+)/.exec(event)?.[1] ?? event
}

/** All ways from the first state that pass no state twice. */
function waysOf(kind: PaymentKind, endsWell: boolean): Way[] {
  const { machine } = paymentsService.kinds.of(kind)
  const options = { input: { endsWell }, events: machine.events.map((type) => ({ type })) }
  return getSimplePaths(machine, options as object).map(({ steps }) => ({
    kind,
    endsWell,
    events: steps.slice(1).map(({ event }) => named(event.type)),
    states: steps.map(({ state }) => state.value as string),
  }))
}

/** As the name of a test: `PENDING, settle → SUCCESS, REVERSE → FAILED`. */
function described({ events, states }: Way): string {
  return [states[0], ...events.map((event, at) => `${event} → ${states[at + 1]}`)].join(', ')
}

const ways = paymentsService.kinds.names
  .flatMap((kind) => [true, false].flatMap((endsWell) => waysOf(kind, endsWell)))
  // A plan that ends badly and is never waited for is the same way again.
  .filter(({ endsWell, events }) => endsWell || events.includes('settle'))
  // Only a challenge runs out with its session; only a phone prompt is confirmed by itself or goes away.
  .filter(({ events }) =>
    events.every((event, at) => {
      const before = events[at - 1]
      const challenged = before === 'PAY_CARD_CHALLENGE'
      if (event === 'expire') return before === undefined || challenged
      return !challenged || !['prompt', 'unanswered'].includes(event)
    }),
  )
  .map((way) => ({ ...way, name: `${way.kind}: ${described(way)}` }))

const AMOUNT = 1234.5
/** How long each wait takes here; what a way does not wait for never comes. */
const WAIT_S = { settle: 10, revise: 60, autopay: 5, autoprompt: 5, prompt: 3, unanswered: 40, expire: 1800 }

/** A payment whose plan waits only for what the way waits for. */
async function open(world: TestWorld, { kind, endsWell, events, states }: Way) {
  const waits = (name: keyof typeof WAIT_S) => events.includes(name)
  const good = kind === 'checkout' ? 'SUCCEEDED' : 'SUCCESS'
  const fate: ResponseFault = {
    end: endsWell ? good : 'FAILED',
    afterUs: waits('settle') ? WAIT_S.settle * SECOND_US : null,
    revise: waits('revise') ? { afterUs: WAIT_S.revise * SECOND_US, end: states.at(-1) as string, with: {} } : null,
    payAfterUs: waits('autopay') || waits('autoprompt') ? WAIT_S.autopay * SECOND_US : null,
    ...(waits('unanswered') && { promptUs: WAIT_S.unanswered * SECOND_US }),
    ...(waits('autoprompt') && { confirmAfterUs: waits('prompt') ? WAIT_S.prompt * SECOND_US : null }),
  }
  const [own, other] = world.inside.core.store.organisations.all()
  const { payment } = await world.inside.perform({
    command: 'open-payment',
    kind,
    organisationId: 1,
    ...(kind.endsWith('allocation') && { counterpartyId: 2 }),
    currency: 'KES',
    amountMinor: kind === 'account-verification' ? 0 : AMOUNT * 100,
    request: {
      fate: fate as JsonObject,
      amount: AMOUNT,
      phoneNumber: '254712345678',
      businessNumber: '400200',
      accountNumber: '0123456789',
      creditAccountNumber: '0123456789',
      bankCode: '0001',
      beneficiaryName: 'ASHA JUMA',
      description: 'Rent',
      currency: 'KES',
      fromOrganisationId: own?.uuid as string,
      toOrganisationId: other?.uuid as string,
    },
    callbackUrl: bench.receiver.url(),
  })
  return payment
}

async function fatedWorld(): Promise<TestWorld> {
  const world = await bench.world()
  // Account verifications belong to the unlisted operations.
  await world.inside.perform({
    command: 'set-scenario',
    scenario: fatedScenario({ assumptions: { 'unlisted-operations': 'on' } }),
  })
  const user = {
    username: 'asha',
    userType: 'API_USER',
    firstName: 'A',
    lastName: 'J',
    email: 'a@b.example',
    roles: ['ADMIN'],
  }
  await world.inside.perform({
    command: 'create-organisation',
    parentId: 1,
    name: 'Second',
    email: 'a@b.example',
    phoneNumber: '254700000001',
    user,
  })
  await world.inside.perform({ command: 'set-collection-callback', organisationId: 1, url: bench.receiver.url() })
  return world
}

/** One event, as it comes about in life: from outside by its name, a wait by waiting for it. */
async function go(world: TestWorld, uuid: string, event: string) {
  if (isWait(event)) await world.advance(`${WAIT_S[event]}s`)
  else {
    const challenge = event === 'PAY_CARD_CHALLENGE' && { with: { challenge: 'asked' } }
    await world.inside.perform({ command: 'signal-payment', uuid, event, by: 'payer', ...challenge })
  }
}

for (const way of sample(ways)) test(way.name, () => walk(way))

async function walk(way: Way) {
  const world = await fatedWorld()
  const { uuid } = await open(world, way)
  for (const [at, event] of way.events.entries()) {
    expect((await world.control('GET', `/payments/${uuid}`)).status).toBe(way.states[at])
    await go(world, uuid, event)
  }
  const end = way.states.at(-1) as string
  const { status, timeline, transfers, possible } = await world.control('GET', `/payments/${uuid}`)
  expect(status).toBe(end)
  expect(timeline.happened.map((moment: { status: string }) => moment.status)).toEqual(way.states)
  expect(possible).toEqual(legalEvents(paymentsService.kinds.of(way.kind), end))
  expect(
    transfers.map(({ kind, state, debit, credit }: Record<string, string>) => [kind, state, debit, credit].join(' ')),
  ).toEqual(movements(way))
  expect(await world.available()).toBe(1_000_000 + walletChange(way))

  // A further while changes nothing that the way did not ask for, and lets every callback arrive.
  if (end !== 'PENDING' && end !== 'REQUIRES_CUSTOMER_ACTION') await world.advance('2h')
  else await world.advance('0s')
  expect((await world.control('GET', `/payments/${uuid}`)).status).toBe(end)
  expect(bench.receiver.received.map(({ body }) => body.status ?? 'record')).toEqual(news(way))
}

const collects = (kind: PaymentKind) => kind === 'stk' || kind === 'checkout' || kind === 'bank-collection'
const allocates = (kind: PaymentKind) => kind.endsWith('allocation')

/** What the books must show for a way, by the states it went through. */
function movements({ kind, states }: Way): string[] {
  if (kind === 'account-verification') return []
  const [wallet, rail] = ['wallet:1:KES', 'rail:KES']
  const sides = allocates(kind) ? [wallet, 'wallet:2:KES'] : collects(kind) ? [rail, wallet] : [wallet, rail]
  const there = sides.join(' ')
  const back = sides.toReversed().join(' ')
  const succeeded = states.includes('SUCCESS') || states.includes('SUCCEEDED')
  const end = states.at(-1)
  if (kind === 'checkout') return succeeded ? [`checkout posted ${there}`] : []
  if (!succeeded) return [end === 'PENDING' ? `${kind} pending ${there}` : `${kind} voided ${there}`]
  if (end !== 'SUCCESS') return [`${kind} posted ${there}`, `reversal posted ${back}`]
  return [...(states.includes('FAILED') ? [`${kind} voided ${there}`] : []), `${kind} posted ${there}`]
}

/** What the wallet can spend more or less than before. */
function walletChange({ kind, states }: Way): number {
  const end = states.at(-1)
  if (kind === 'account-verification') return 0
  if (collects(kind)) return end === 'SUCCESS' || end === 'SUCCEEDED' ? AMOUNT : 0
  return end === 'SUCCESS' || end === 'PENDING' ? -AMOUNT : 0
}

/** What a merchant is told: every end, a second one included. Of allocations nothing, and of a bank collection its record. */
function news({ kind, states }: Way): string[] {
  if (allocates(kind)) return []
  if (kind === 'bank-collection') return ['record']
  const ends = states.filter((state) => ['SUCCESS', 'FAILED', 'SUCCEEDED', 'EXPIRED'].includes(state))
  if (kind !== 'account-verification') return ends
  return ends.map((end) => (end === 'SUCCESS' ? 'Success' : 'Failed'))
}

const everyEvent = [
  ...new Set([...paymentsService.kinds].flatMap(({ machine }) => machine.events.map(named))),
  'NONSENSE',
  '',
]
const everyStatus = [...new Set([...paymentsService.kinds].flatMap(statesOf)), 'NONSENSE']
const everyState = [...paymentsService.kinds].flatMap((kind) =>
  statesOf(kind).map((state) => ({ kind: kind.name, state })),
)

/** The shortest way into a state, by events from outside alone. */
function wayInto(kind: PaymentKind, state: string): Way {
  const [shortest] = ways
    .filter((way) => way.kind === kind && way.states.at(-1) === state && !way.events.some(isWait))
    .sort((a, b) => a.events.length - b.events.length)
  return shortest as Way
}

test.each(sample(everyState))(
  '$kind in $state refuses every event that it does not accept, and is as it was',
  async ({ kind, state }) => {
    const world = await fatedWorld()
    const way = wayInto(kind, state)
    const { uuid, seq } = await open(world, way)
    for (const event of way.events) await go(world, uuid, event)
    await world.advance('0s')
    const before = dump(world.inside)

    const accepted = eventsOf(paymentsService.kinds.of(kind), state)
    for (const event of everyEvent.filter((event) => isWait(event) || !accepted.includes(event))) {
      // Nobody but time may say that a wait is over, even one that the state does wait for.
      const signalled = await outcomeOf(world.inside.perform({ command: 'signal-payment', uuid, event, by: 'payer' }))
      expect(signalled, event).toEqual({ refused: 'ILLEGAL_TRANSITION', status: 409 })
    }
    for (const event of everyEvent.filter((event) => !accepted.includes(event))) {
      expect(await world.inside.perform({ command: 'step-payment', seq, event }), event).toBeNull()
    }
    const reachable = legalEvents(paymentsService.kinds.of(kind), state).map(({ leadsTo }) => leadsTo)
    for (const status of everyStatus.filter((status) => !reachable.includes(status))) {
      const answer = await world.raw('POST', `/_mfano/payments/${uuid}/resolve`, { body: { status } })
      expect(answer, status).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } })
      expect(answer.body.error.details).toContain(reachable[0] ?? 'nothing, it is final')
    }
    expect(dump(world.inside)).toEqual(before)
  },
)

test.each(sample(everyState))(
  '$kind in $state can be resolved to whatever a legal event leads to',
  async ({ kind, state }) => {
    const world = await fatedWorld()
    const way = wayInto(kind, state)
    for (const status of new Set(legalEvents(paymentsService.kinds.of(kind), state).map(({ leadsTo }) => leadsTo))) {
      const { uuid } = await open(world, way)
      for (const event of way.events) await go(world, uuid, event)
      expect(await world.control('POST', `/payments/${uuid}/resolve`, { status })).toMatchObject({ status })
    }
  },
)

test('every state of every lifecycle is reached, and every wait is waited for', () => {
  for (const kind of paymentsService.kinds.names) {
    const reached = ways.filter((way) => way.kind === kind).map((way) => way.states.at(-1))
    expect(new Set(reached)).toEqual(new Set(statesOf(paymentsService.kinds.of(kind))))
  }
  expect(new Set(ways.flatMap(({ events }) => events.filter(isWait)))).toEqual(new Set(delayNames))
})
