import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../../core/model/must.ts'

/** Modes of what holds money, credentials and bodies of others: worlds, snapshots, capsules. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 }

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

export function whyUnreadable(error: unknown): string {
  return reason(READING, error)
}

export function whyUnwritable(error: unknown): string {
  return reason(WRITING, error)
}

function reason(known: Readonly<Record<string, string>>, error: unknown): string {
  const { code, message }: Record<string, unknown> = isRecord(error) ? error : {}
  return known[String(code)] ?? String(message)
}

/**
 * Like `mkdirSync` with `recursive`, which never returns on a file system without folders such as /proc: it creates the
 * parent again and again, because that exists already.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    if (!isRecord(error) || error['code'] !== 'EEXIST') throw error
  }
}
