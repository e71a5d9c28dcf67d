/** SQLite or the file system failed. */
import { commonReasons, refused } from './refusal-reasons.ts'

export interface StorageProblem {
  /** `SQLITE_FULL` or `ENOSPC`, as SQLite or the system names it; mfano's own is `FILE_GONE`. */
  code: string
  what: string
  why: string
  todo: string
}

/**
 * The transaction was rolled back; trying later may work. It is no refusal, because a refusal is an answer that is
 * stored.
 */
export class StorageFailure extends Error {
  readonly problem: StorageProblem
  readonly hint: string

  constructor(problem: StorageProblem, cause?: unknown) {
    super(`${problem.what} (${problem.code}): ${problem.why}.`, { cause })
    this.name = 'StorageFailure'
    this.problem = problem
    this.hint = problem.todo
  }

  /** The file is damaged or no database: only this world is lost, and the disk is fine. */
  get unreadable(): boolean {
    return /^SQLITE_(?:NOTADB|CORRUPT)/.test(this.problem.code)
  }
}

export function hasNoDescriptor(error: unknown): boolean {
  const { code, message = '', problem = { code } } = (error ?? {}) as Partial<StorageFailure> & { code?: string }
  // Node has a code of its own where it reads a package.
  return problem.code === 'EMFILE' || problem.code === 'ENFILE' || message.endsWith('too many open files.')
}

/** Turns a temporary failure into a refusal that asks to try again. Anything else stays. */
export function storageRefusal(error: unknown): unknown {
  if (error instanceof StorageFailure) return refused(commonReasons.worldClosed, `${error.message} ${error.hint}`)
  if (!hasNoDescriptor(error)) return error
  return refused(commonReasons.worldClosed, 'mfano may not open another file or connection at the moment; ask again')
}
