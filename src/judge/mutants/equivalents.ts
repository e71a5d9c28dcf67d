/** The list of mutants that somebody looked at by hand, and that no suite can notice: a line each, with the reason. */
import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'

/** Names, such as `amount in the send-money callback ×100`, with why each comes to the same. */
export type Equivalents = ReadonlyMap<string, string>

/** A list that cannot be used; the message names the line. */
class EquivalentsError extends Unusable {
  constructor(message: string) {
    super(message, { code: 'EQUIVALENTS', option: 'equivalent' })
  }
}

/** Reads `NAME: why`, a line each; empty lines and those from `#` are nothing. */
export function readEquivalents(file: string): Equivalents {
  try {
    return listedIn(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof EquivalentsError) throw error
    throw new EquivalentsError(`${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

function listedIn(text: string, file: string): Equivalents {
  const listed = new Map<string, string>()
  for (const [i, line] of text.split('\n').entries()) {
    const said = line.trim()
    if (said === '' || said.startsWith('#')) continue
    const [, name, why] = /^(.+?):\s+(\S.*)$/.exec(said) ?? []
    if (name === undefined || why === undefined)
      throw new EquivalentsError(
        `${file}:${i + 1}: expected a mutant and why it comes to the same, such as "amount in the till callback ×100: only the record is read", got ${JSON.stringify(said)}.`,
      )
    if (listed.has(name)) throw new EquivalentsError(`${file}:${i + 1}: ${name} is listed twice.`)
    listed.set(name, why)
  }
  return listed
}
