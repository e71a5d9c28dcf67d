/** The first answer under each Idempotency-Key of an organisation. */
import type { Sql } from '../sql.ts'

export interface FirstAnswer {
  operation: string
  /** Masked, as in the journal. */
  body: string
  status: number
  answer: string
  paymentSeq: number | null
}

/** Prepares nothing ahead, because few worlds use it. */
export class IdempotencyKeys {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  find(organisationId: number, key: string): FirstAnswer | undefined {
    return this.#sql
      .prepare<FirstAnswer>(
        `SELECT operation, body, status, answer, payment_seq AS paymentSeq
         FROM idempotency WHERE organisation_id = ? AND key = ?`,
      )
      .get(organisationId, key)
  }

  add(organisationId: number, key: string, { operation, body, status, answer, paymentSeq }: FirstAnswer): void {
    this.#sql
      .prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(organisationId, key, operation, body, status, answer, paymentSeq)
  }
}
