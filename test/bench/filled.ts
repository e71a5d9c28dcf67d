/** Worlds with many payments in them, made through the engine. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { discard, folder, inChild } from './kit.ts'

/** How a world is filled. */
export interface Filling {
  file: string
  payments: number
  /** Where callbacks of the payments go. */
  callbackUrl: string
  /** How long after each other they are made, in simulated time. */
  apartUs?: number
  /** Waits between attempts to tell, in place of the usual ones. */
  backoff?: readonly string[]
}

/** The database of a data directory's world `default`. */
export function databaseIn(directory: string): string {
  return join(directory, 'default.db')
}

/** A data directory whose default world stands still and has so many PENDING payments, each with its journal entry. */
export async function filled(
  payments: number,
  callbackUrl = 'http://127.0.0.1:9/callback',
  options: Pick<Filling, 'apartUs' | 'backoff'> = {},
): Promise<string> {
  const directory = folder()
  await inChild('fill.ts', { file: databaseIn(directory), payments, callbackUrl, ...options } satisfies Filling)
  return directory
}

const shared = new Map<number, Promise<string>>()

/** A filled world, made once per run and not to be written to. */
export function filledOnce(payments: number): Promise<string> {
  const made = shared.get(payments) ?? filled(payments)
  shared.set(payments, made)
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
