import type { Problem } from '../../core/model/problems.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import type { SqlValue } from '../../core/sql.ts'

/** An object's answer to another, as data, because a call passes only the message of an error. */
export type Reply =
  | { value: unknown }
  | { refused: Pick<Refusal, 'code' | 'details' | 'status' | 'message' | 'hints'> }
  | { problems: Problem[] }
  | { failed: string }

interface Namespace<T> {
  idFromName(name: string): object
  get(id: object): T & { fetch: typeof fetch }
}

/** The variables of `mfano start` that apply here, and those of the worker itself. */
export interface Bindings {
  WORLDS: Namespace<{ ask(question: string, given: readonly unknown[]): Promise<Reply> }>
  DIRECTORY: Namespace<{
    ids(): Promise<string[]>
    withSnapshots(): Promise<string[]>
    add(id?: string): Promise<string>
    remove(id: string, leaves: boolean): Promise<void>
    putBelow(parent: string, id: string): Promise<void>
    below(parent: string): Promise<string[]>
  }>
  ASSETS?: { fetch: typeof fetch }
  MFANO_SCENARIO?: string
  MFANO_SET?: string
  MFANO_RECORD?: string
  MFANO_ADMIN_TOKEN?: string
  MFANO_CALLBACK_HOST?: string
  MFANO_BASE_URL?: string
}

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
