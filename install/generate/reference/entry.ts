/** Entries of generated reference pages. */

/** The meaning of a schema's text: its first clause, what follows, and the default that it names. */
export interface Meaning {
  sentences: string[]
  byDefault?: string
}

/** Such as `the network; by the number's prefix when left out`, which errors print as "Expected the network; …". */
export function meaningOf(description: string): Meaning {
  const clauses = description.split(/; |(?<=[a-z)])\. (?=[A-Z])/).map((clause) => clause.trim())
  const found = clauses.map(
    (clause) => /^(?:those |that |the )?(.*?),? (?:when left out|without it)$/.exec(clause)?.[1],
  )
  const usual = found.find((one) => one !== undefined)
  const sentences = clauses.filter((_, i) => found[i] === undefined).map(asSentence)
  return { sentences, ...(usual !== undefined && { byDefault: usual }) }
}

export function asSentence(clause: string): string {
  // The product's name has no capital.
  const text = clause.startsWith('mfano') ? clause : clause.charAt(0).toUpperCase() + clause.slice(1)
  return /[.!?:]$/.test(text) ? text : `${text}.`
}

export function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : flow(value)}\``
}

/** As YAML writes it in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${flow(one)}`)
    .join(', ')} }`
}

/** A table whose cells are escaped. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
