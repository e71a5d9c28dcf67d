/** The place where a world is stored does not take or give what it should. */
import { commonReasons, refused } from './refusal-reasons.ts'

export interface StorageProblem {
  /** As SQLite or the system names it: `SQLITE_FULL`, `ENOSPC`; ours is `FILE_GONE`. */
  code: string
  what: string
  why: string
  todo: string
}

/**
 * Nothing of the transaction happened, and nothing can be promised; the same may work later. No refusal, which would be
 * an answer that is stored: it ends whatever it happens in.
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

  /** What is stored there is no database, or a damaged one: only that world is lost, and nothing is wrong with the storage. */
  get unreadable(): boolean {
    return /^SQLITE_(?:NOTADB|CORRUPT)/.test(this.problem.code)
  }
}

/** Whether it is for want of file descriptors, of the process or of the machine, that something failed. */
export function hasNoDescriptor(error: unknown): boolean {
  const { code, message = '', problem = { code } } = (error ?? {}) as Partial<StorageFailure> & { code?: string }
  // Node has a code of its own where it reads a package.
  return problem.code === 'EMFILE' || problem.code === 'ENFILE' || message.endsWith('too many open files.')
}

/** What those are told who asked for something: what only fails for now as a refusal, anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof StorageFailure) return refused(commonReasons.worldClosed, `${error.message} ${error.hint}`)
  if (!hasNoDescriptor(error)) return error
  return refused(commonReasons.worldClosed, 'mfano may not open another file or connection at the moment; ask again')
}
