/** A disk that is full: as SQLite meets it, and as a process does. */
import { execFileSync } from 'node:child_process'
import type { Sql } from '../../src/core/sql.ts'

/** From now on nothing finds room that needs another page; what fits into the pages that there are still does. */
export function fillDisk(sql: Sql): void {
  sql.exec('PRAGMA max_page_count = 1')
}

/** There is room again. */
export function makeRoom(sql: Sql): void {
  sql.exec('PRAGMA max_page_count = 1000000')
}

/** A text that no page has room for: whatever is stored with it needs another one. */
export const LONG = 'x'.repeat(9_000)

/** Runs a command that can write no file at all, as if the disk were full. */
export const WITHOUT_ROOM = ['sh', '-c', 'ulimit -f 0; exec "$@"', '-']

/** Takes from a process what it may write to files, or gives it back. Linux only. */
export function limitFiles(pid: number, to: 'full' | 'room'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${to === 'full' ? 0 : 'unlimited'}:`])
}
