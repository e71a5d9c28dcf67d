import { expect, test } from 'vitest'
import { ensureSchema } from '../../../src/core/schema.ts'
import { DuePayments } from '../../../src/core/store/due-payments.ts'
import { COLUMNS, type PaymentRow } from '../../../src/core/store/payment-row.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import fc from '../../support/fast-check.ts'

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const rows = fc.array(
  fc.record({
    kind: some('send-money', 'till', 'stk'),
    currency: some('KES', 'TZS'),
    status: some('PENDING', 'PROCESSING'),
    dueAtUs: some(1, 2, 3),
    event: some('settle', 'revise'),
    plan: some('{"end":"SUCCESS"}', '{"end":"FAILED"}', '{}'),
    details: some('{}', '{"a":1}'),
    reference: some('order', null),
  }),
  { maxLength: 40 },
)

test('what falls due is read as it is stored, whatever of it is as in the payment before', () => {
  const sql = openSqlite(':memory:')
  ensureSchema(sql)
  const insert = sql.prepare(
    `INSERT INTO payment (seq, kind, reference_id, currency, status, due_at_us, due_seq, due_event, plan, details,
       id, organisation_id, amount_minor, created_at_us, updated_at_us)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 7, 1, 1050, 5, 6)`,
  )
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 9 }), (payments, limit) => {
      sql.exec('DELETE FROM payment')
      for (const [i, p] of payments.entries())
        insert.run(i, p.kind, p.reference, p.currency, p.status, p.dueAtUs, i, p.event, p.plan, p.details)

      const stored = sql
        .prepare<PaymentRow>(`SELECT ${COLUMNS} FROM payment WHERE due_at_us <= 2 ORDER BY due_at_us, due_seq`)
        .all()
      const due = new DuePayments(sql)
      const take = sql.prepare('UPDATE payment SET due_at_us = NULL WHERE seq = ?')
      const read: PaymentRow[] = []
      for (;;) {
        const next = due.read(2 as PaymentRow['due_at_us'] & number, limit)
        if (next.length === 0) break
        expect(next.length).toBeLessThanOrEqual(limit)
        for (const { seq } of next) take.run(seq)
        read.push(...next)
      }
      expect(read).toEqual(stored)
    }),
  )
  sql.close()
})
