/** What is used here of a Durable Object's state. */
import type { SqlValue } from '../../../core/sql.ts'

/** The SQLite database of an object. Whatever is written without an `await` between is stored together. */
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

/** What an object is handed when it comes to life. */
export interface ObjectState {
  /** `name`: what it was asked for by, where the runtime knows that. */
  id: { name?: string }
  storage: ObjectStorage
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>
}
