/** The part of a Durable Object's state that is used here. */
import type { SqlValue } from '../../../core/sql.ts'

export interface ObjectStorage {
  sql: {
    exec(text: string, ...values: (SqlValue | ArrayBuffer)[]): { toArray(): unknown[] }
    databaseSize: number
  }
  kv: {
    get<T>(key: string): T | undefined
    put(key: string, value: unknown): void
    delete(key: string): void
  }
  transactionSync<T>(work: () => T): T
  getAlarm(): Promise<number | null>
  setAlarm(atMs: number): Promise<void>
}

export interface ObjectState {
  id: { name?: string }
  storage: ObjectStorage
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>
}
