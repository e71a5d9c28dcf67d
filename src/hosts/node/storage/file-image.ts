/** Reads the bytes of a database's file while the database is used. */
import { closeSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import type Database from 'better-sqlite3'
import { releasableBytes } from '../../../core/model/bytes.ts'
import { worldClosed } from '../../../core/model/refusal.ts'
import { onFile, storageFailure } from './storage-errors.ts'

/** Smaller ones are faster taken at once. */
const AT_ONCE_BYTES = 8 * 1024 ** 2
const PIECE_BYTES = 4 * 1024 ** 2

const readPiece = promisify(read)

/** The file does not change while it is read, because new commits stay in the log until then. */
export class FileImage {
  readonly #db: Database.Database
  readonly #file: string
  readonly #logPages: number
  /** Kept open: the system takes all locks of a process from a file that it closes anywhere, SQLite's among them. */
  #descriptor: number | undefined
  #readers = 0
  #ended = false

  constructor(db: Database.Database, file: string, logPages: number) {
    this.#db = db
    this.#file = file
    this.#logPages = logPages
  }

  /** As of this call. */
  async take(): Promise<Uint8Array> {
    const bytes = this.#number('page_count') * this.#number('page_size')
    if (bytes < AT_ONCE_BYTES || !this.#settleLog()) return this.#db.serialize()
    this.#descriptor ??= onFile(this.#file, () => openSync(this.#file, 'r'))
    const descriptor = this.#descriptor
    const image = releasableBytes(bytes)
    this.#readers++
    this.#db.pragma('wal_autocheckpoint = 0')
    try {
      for (let at = 0; at < image.length && !this.#ended; ) at += await this.#piece(descriptor, image.subarray(at), at)
    } finally {
      this.#readers--
      this.#rest()
    }
    if (this.#ended) throw worldClosed()
    return image
  }

  async #piece(descriptor: number, rest: Uint8Array, at: number): Promise<number> {
    const most = Math.min(PIECE_BYTES, rest.length)
    const { bytesRead } = await onFile(this.#file, () => readPiece(descriptor, rest, 0, most, at))
    // A part that the database counts as its own has been cut off.
    if (bytesRead === 0) throw storageFailure({ code: 'SQLITE_CORRUPT' }, this.#file)
    return bytesRead
  }

  /** After the database was closed, which put its log into the file. */
  end(): void {
    this.#ended = true
    this.#rest()
  }

  /** Puts all that is committed into the file; false while another reader needs the file as it is. */
  #settleLog(): boolean {
    if (this.#readers > 0) return false
    const checkpoint = this.#db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(PASSIVE)')
    const log = checkpoint.get()
    return log?.log === log?.checkpointed
  }

  #number(pragma: string): number {
    return Number(this.#db.pragma(pragma, { simple: true }))
  }

  #rest(): void {
    if (this.#readers > 0) return
    if (!this.#ended) this.#db.pragma(`wal_autocheckpoint = ${this.#logPages}`)
    else if (this.#descriptor !== undefined) {
      closeSync(this.#descriptor)
      this.#descriptor = undefined
    }
  }
}
