import { expect, test } from 'vitest'
import { LANE, type Position } from '../../../src/core/model/due.ts'
import type { InstantUs } from '../../../src/core/model/time.ts'
import { Store } from '../../../src/core/store/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import fc from '../../support/fast-check.ts'

const PAYMENTS = 8

/** When payments fall due, by their numbers; how many transfers each has; how many of what is due are taken. */
const plans = fc.record({
  order: fc.shuffledSubarray(
    Array.from({ length: PAYMENTS }, (_, i) => i + 1),
    { minLength: PAYMENTS },
  ),
  transfers: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: PAYMENTS, maxLength: PAYMENTS }),
  taken: fc.integer({ min: 2, max: PAYMENTS }),
})

test('the transfers that each payment waits for are ended, in whatever order payments fall due', () => {
  const sql = openSqlite(':memory:')
  const { agenda, ledger } = new Store(sql)
  const pay = sql.prepare(
    `INSERT INTO payment (seq, kind, id, organisation_id, currency, amount_minor, status, asked, plan, details, history, created_at_us, updated_at_us)
     VALUES (?, 'till', 1, 1, 'KES', 5, 'PENDING', '{}', '{}', '{}', '[]', 1, 1)`,
  )
  fc.assert(
    fc.property(plans, ({ order, transfers, taken }) => {
      sql.exec('DELETE FROM payment; DELETE FROM transfer; DELETE FROM agenda')
      const waiting = new Map<number, number[]>()
      for (const seq of order) {
        pay.run(seq)
        agenda.add(LANE.steps, 1, seq, 'settle')
      }
      for (let seq = 1; seq <= PAYMENTS; seq++) {
        const insert = (kind: string, state: 'pending' | 'posted') =>
          ledger.insert({
            paymentSeq: seq,
            kind,
            state,
            debitAccount: 1,
            creditAccount: 2,
            amountMinor: seq,
            createdAtUs: 1 as InstantUs,
            settledAtUs: null,
          })
        insert('fee', 'posted')
        waiting.set(
          seq,
          Array.from({ length: transfers[seq - 1] as number }, () => insert('till', 'pending')),
        )
      }
      const due = agenda.due(LANE.steps, 1, taken)
      expect(due.map(({ subject }) => subject)).toEqual(order.slice(0, taken))
      ledger.readAhead(due.at(-1) as Position)
      for (const seq of order) {
        const ended = ledger.complete(seq, 'posted', 2 as InstantUs)
        expect(ended.map(({ id, amountMinor }) => [id, amountMinor])).toEqual(
          (waiting.get(seq) as number[]).map((id) => [id, seq]),
        )
      }
      ledger.forgetAhead()
      const left = sql.prepare("SELECT 1 FROM transfer WHERE state <> 'posted'").all()
      expect(left).toEqual([])
    }),
  )
  sql.close()
})
