/** Looks at a staged database; at a large one in a thread of its own. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import type { Sql } from '../../../core/sql.ts'

/** Smaller ones are looked at sooner than a thread starts. */
const AT_ONCE_BYTES = 8 * 1024 ** 2

/** Answers each text with its rows, or with what is wrong. Has the file open no longer than that. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.sqlite)
parentPort.on('message', (text) => {
  let db
  try {
    db = new Database(workerData.file)
    parentPort.postMessage({ rows: db.prepare(text).all() })
  } catch (error) {
    parentPort.postMessage({ problem: error.message })
  } finally {
    db?.close()
  }
})`

export class DraftFile {
  readonly #file: string
  readonly #inThread: boolean
  readonly #opened: () => Sql
  #thread: Worker | undefined
  #sql: Sql | undefined

  constructor(file: string, bytes: number, opened: () => Sql) {
    this.#file = file
    this.#inThread = bytes >= AT_ONCE_BYTES
    this.#opened = opened
  }

  async ask<Row>(text: string): Promise<Row[]> {
    if (!this.#inThread) {
      this.#sql ??= this.#opened()
      return this.#sql.prepare<Row>(text).all()
    }
    this.#thread ??= this.#begun()
    const answered = once(this.#thread, 'message')
    this.#thread.postMessage(text)
    const [answer] = await answered
    const { rows, problem }: { rows: Row[]; problem?: string } = answer
    if (problem !== undefined) throw new Error(problem)
    return rows
  }

  open(): Sql {
    this.end()
    return this.#opened()
  }

  end(): void {
    this.#sql?.close()
    this.#sql = undefined
    void this.#thread?.terminate()
    this.#thread = undefined
  }

  #begun(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
    return new Worker(THREAD, { eval: true, execArgv: [], workerData: { file: this.#file, sqlite } })
  }
}
