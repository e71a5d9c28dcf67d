import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { discard, folder, inChild, path } from './kit.ts'

export interface Filling {
  file: string
  payments: number
  callbackUrl: string
}

/** The database of a data directory's world `default`. */
export function databaseIn(directory: string): string {
  return join(directory, 'default.db')
}

/** A data directory whose default world stands still and has so many PENDING payments, each with its journal entry. */
export async function filled(payments: number, callbackUrl = 'http://127.0.0.1:9/callback'): Promise<string> {
  const directory = folder()
  await inChild(path('test/bench/fill.ts'), { file: databaseIn(directory), payments, callbackUrl } satisfies Filling)
  return directory
}

const shared = new Map<string, Promise<string>>()

/** Made once per run and not to be written to. */
export function filledOnce(payments: number): Promise<string> {
  const key = `${payments} ${path('')}`
  const made = shared.get(key) ?? filled(payments)
  shared.set(key, made)
  return made
}

/** Works on an identical copy of a data directory. */
export async function onCopy<T>(directory: string, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = folder()
  cpSync(directory, copy, { recursive: true })
  try {
    return await work(copy)
  } finally {
    discard(copy)
  }
}
