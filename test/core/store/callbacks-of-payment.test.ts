/** The callbacks of a payment are found from its row, which names the newest of them. */
import { expect, it } from 'vitest'
import type { Callback } from '../../../src/core/model/callback.ts'
import { LANE } from '../../../src/core/model/due.ts'
import type { JsonObject, Payment } from '../../../src/core/model/payment.ts'
import { perform } from '../../../src/core/perform.ts'
import type { Sql } from '../../../src/core/sql.ts'
import { Store } from '../../../src/core/store/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import type { Chosen } from '../../../src/service/assumed/assumptions.ts'
import { unfoundCallbacks } from '../../support/callbacks-of-payments.ts'
import { fatedScenario, openWorld, payout } from '../../support/inside.ts'

const REVISED = {
  afterUs: 1_000_000,
  end: 'SUCCESS',
  with: {},
  revise: { afterUs: 1_000_000, end: 'FAILED', with: {} },
}

/** A world whose payments tell a shop that never answers. */
function openShop(assumptions: Partial<Chosen> = {}) {
  const world = openWorld(fatedScenario({ assumptions }), { answer: () => 500 })
  const { core, commit } = world
  const { callbacks, payments, sql } = core.store
  const open = (fate: JsonObject) =>
    perform(core, payout({ request: { fate }, callbackUrl: 'http://shop.example/paid' })).payment
  /** What is due next for a payment happens. */
  const step = ({ seq }: Payment) => {
    const [due] = core.store.agenda.of(LANE.steps, seq)
    perform(core, { command: 'step-payment', seq, event: due?.event as string })
  }
  return {
    ...world,
    core,
    commit,
    open,
    step,
    pays: (fate: JsonObject) => commit.submit(() => open(fate)),
    ends: (payment: Payment) => commit.submit(() => step(payment)),
    /** Found in each way that there is; their numbers and states. */
    found: ({ seq }: Payment) => {
      const found = callbacks.ofPayment(seq)
      expect(unfoundCallbacks(sql)).toEqual([])
      const page = { paymentSeq: seq, limit: 10 }
      expect(callbacks.page(page)).toEqual(found)
      expect(callbacks.page({ ...page, newestFirst: true })).toEqual(found.toReversed())
      expect(callbacks.page({ ...page, after: found[0]?.id ?? 0 })).toEqual(found.slice(1))
      expect(payments.bySeq(seq)?.lastCallbackId).toBe(found.at(-1)?.id ?? null)
      return found.map(({ id, state }) => [id, state])
    },
  }
}

it('one, several, and none', async () => {
  const { pays, ends, found } = openShop()
  const [revised, single, untold] = [await pays(REVISED), await pays({ ...REVISED, revise: null }), await pays({})]
  expect([revised, single, untold].map(found)).toEqual([[], [], []])
  await ends(revised)
  await ends(single)
  expect([revised, single, untold].map(found)).toEqual([[[1, 'pending']], [[2, 'pending']], []])
  await ends(revised)
  expect([revised, single, untold].map(found)).toEqual([
    [
      [1, 'pending'],
      [3, 'pending'],
    ],
    [[2, 'pending']],
    [],
  ])
})

it('of a payment that is not there', () => {
  const { core } = openShop()
  expect(core.store.callbacks.ofPayment(4711)).toEqual([])
  expect(core.store.callbacks.page({ paymentSeq: 0, limit: 10 })).toEqual([])
})

it('one that was written when the payment was made, and one of its end in the same work', async () => {
  const { pays, found } = openShop({ 'final-callback': 'pending-too' })
  expect(found(await pays(REVISED))).toEqual([[1, 'pending']])
  const early = { ...REVISED, afterUs: 0, callback: { early: true } }
  expect(found(await pays(early))).toEqual([
    [2, 'pending'],
    [3, 'pending'],
  ])
})

it('one that waits for the next, and the next', async () => {
  const { pays, ends, found } = openShop()
  const payment = await pays({ ...REVISED, callback: { reorder: true } })
  await ends(payment)
  expect(found(payment)).toEqual([[1, 'held']])
  await ends(payment)
  // No other is held for it.
  expect(found(payment).map(([id]) => id)).toEqual([1, 2])
  expect(found(payment)[1]).toEqual([2, 'pending'])
})

it('none waits for the next where one of the same payment did before', async () => {
  const { pays, ends, found, commit, core } = openShop()
  const payment = await pays({ ...REVISED, callback: { reorder: true } })
  await ends(payment)
  const { callbacks } = core.store
  await commit.submit(() => callbacks.save({ ...(callbacks.byId(1) as Callback), state: 'delivered', due: null }))
  await ends(payment)
  expect(found(payment)).toEqual([
    [1, 'delivered'],
    [2, 'pending'],
  ])
})

it('those that are never sent', async () => {
  const { pays, ends, found } = openShop()
  const payment = await pays({ ...REVISED, callback: { drop: true } })
  await ends(payment)
  await ends(payment)
  expect(found(payment)).toEqual([
    [1, 'dropped'],
    [2, 'dropped'],
  ])
})

it('both of a request that was executed twice, each by its own payment', async () => {
  const { pays, ends, found, core } = openShop()
  const first = await pays({ ...REVISED, twice: true })
  const second = core.store.payments.bySeq(first.seq + 1) as Payment
  await ends(second)
  await ends(first)
  expect([first, second].map(found)).toEqual([[[2, 'pending']], [[1, 'pending']]])
})

it('none that was taken back, and the one before it as ever', async () => {
  const { pays, ends, step, open, found, commit, core } = openShop({ 'final-callback': 'pending-too' })
  const payment = await pays(REVISED)
  const failing = commit.submit(() => {
    step(payment)
    expect(core.store.callbacks.ofPayment(payment.seq).map(({ id }) => id)).toEqual([1, 2])
    throw new Error('taken back')
  })
  await expect(failing).rejects.toThrow('taken back')
  expect(found(payment)).toEqual([[1, 'pending']])
  // In parts of a commit: of two steps one stays.
  const other = await commit.submitParts(() => {
    const taken = commit.attempt(() => {
      open(REVISED)
      step(payment)
      throw new Error('taken back')
    })
    expect(taken.ok).toBe(false)
    expect(commit.attempt(() => step(payment)).ok).toBe(true)
    return commit.attempt(() => open(REVISED))
  })
  expect(found(payment)).toEqual([
    [1, 'pending'],
    [2, 'pending'],
  ])
  expect(found((other as { value: Payment }).value)).toEqual([[3, 'pending']])
  await ends(payment)
  expect(found(payment).map(([id]) => id)).toEqual([1, 2, 4])
})

it('by keys alone, however many callbacks there are', () => {
  const sql = openSqlite(':memory:')
  const texts: string[] = []
  const prepare: Sql['prepare'] = (text) => {
    texts.push(text)
    return sql.prepare(text)
  }
  const { callbacks } = new Store({ ...sql, prepare })
  texts.length = 0
  callbacks.ofPayment(1)
  callbacks.page({ paymentSeq: 1, limit: 10 })
  callbacks.page({ paymentSeq: 1, limit: 10, after: 2, before: 9, sinceUs: 1, untilUs: 2, state: 'held', texts: ['a'] })
  callbacks.page({ paymentSeq: 1, limit: 10, before: 9, newestFirst: true })
  expect(texts).toHaveLength(4)
  for (const text of texts) {
    const plan = sql.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${text.replaceAll('?', '1')}`).all()
    const reads = plan.map(({ detail }) => detail).filter((detail) => /\b(?:callback|payment)\b/.test(detail))
    expect(reads.length).toBeGreaterThan(2)
    for (const read of reads) expect(read, text).toMatch(/^SEARCH .* USING INTEGER PRIMARY KEY \(rowid=\?\)/)
  }
  sql.close()
})

it('however a damaged database names them', async () => {
  const { pays, ends, core } = openShop()
  const payment = await pays(REVISED)
  await ends(payment)
  await ends(payment)
  core.store.sql.exec('UPDATE callback SET previous_id = 3 - id')
  expect(core.store.callbacks.ofPayment(payment.seq).map(({ id }) => id)).toEqual([1, 2])
})
