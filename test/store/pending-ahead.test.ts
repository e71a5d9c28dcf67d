import { expect, it } from 'vitest'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { Store } from '../../src/store/store.ts'

it('pending transfers that were read ahead are those of their payments, wherever these are', () => {
  const { ledger } = new Store(openSqlite(':memory:'))
  const begin = (paymentSeq: number, amountMinor: number, state: 'pending' | 'posted' = 'pending') =>
    ledger.insert({
      paymentSeq,
      kind: 'till',
      debitAccount: 1,
      creditAccount: 2,
      amountMinor,
      state,
      createdAtUs: 1,
      settledAtUs: state === 'posted' ? 1 : null,
    })
  for (const seq of [1, 2, 3, 12, 50, 1_000]) begin(seq, seq)
  begin(2, 200)
  begin(12, 120, 'posted')
  // Not in the order of their numbers, one of them twice, and one without a transfer.
  ledger.readAhead([1_000, 2, 12, 1, 2, 7, 50])
  const ended = (seq: number) => ledger.complete(seq, 'posted', 2).map(({ amountMinor }) => amountMinor)
  expect([1_000, 2, 12, 1, 7, 50].map(ended)).toEqual([[1_000], [2, 200], [12], [1], [], [50]])
  // Given once: what was read is not pending any more.
  expect(ended(2)).toEqual([])
  ledger.forgetAhead()
  const stateOf = (seq: number) => ledger.ofPayment(seq).map(({ state }) => state)
  expect([1, 2, 3, 12, 50, 1_000].map(stateOf)).toEqual([
    ['posted'],
    ['posted', 'posted'],
    ['pending'],
    ['posted', 'posted'],
    ['posted'],
    ['posted'],
  ])
})
