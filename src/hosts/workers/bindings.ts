/** Bindings that a deployment passes to its worker and objects. */
import type { Reply } from './object/world-door.ts'

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
  }>
  ASSETS?: { fetch: typeof fetch }
  MFANO_SCENARIO?: string
  MFANO_SET?: string
  MFANO_RECORD?: string
  MFANO_ADMIN_TOKEN?: string
  MFANO_CALLBACK_HOST?: string
  MFANO_BASE_URL?: string
}
