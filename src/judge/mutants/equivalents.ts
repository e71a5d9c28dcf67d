/** The list of mutants that somebody looked at by hand, and that no suite can notice: a line each, with the reason. */

/** Names, such as `amount in the send-money callback ×100`, with why each comes to the same. */
export type Equivalents = ReadonlyMap<string, string>

/** A list that cannot be used; the message names the line. */
export class EquivalentsError extends Error {}

/** Reads `NAME: why`, a line each; empty lines and those from `#` are nothing. `file` stands in errors. */
export function readEquivalents(text: string, file: string): Equivalents {
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
