/** Worlds that a suite makes by itself, with the kits: told what to tell by a variable, and what they told kept in files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ForKit, Mutation } from '../../core/model/mutation.ts'
import type { ToldCallback } from './mutations.ts'

export interface KitWorlds {
  /** The variable's value. */
  variable: string
  /** Their stories, once the suite has ended. */
  told(): ToldCallback[]
  close(): void
}

/** The worlds of one run, with a mutation or in truth. */
export function kitWorlds(mutation: Mutation | undefined): KitWorlds {
  if (mutation) {
    const value: ForKit = { tell: mutation }
    return { variable: JSON.stringify(value), told: () => [], close: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'mfano-told-'))
  const value: ForKit = { keepIn: folder }
  return {
    variable: JSON.stringify(value),
    told: () =>
      readdirSync(folder).flatMap((name): ToldCallback[] => JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
