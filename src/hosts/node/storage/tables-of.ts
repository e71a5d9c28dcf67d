/** The tables that a statement uses. */

export type Tables = readonly string[]

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/gi

export function tablesOf(text: string): Tables {
  return [...new Set([...text.matchAll(TABLE)].map(([, name = '']) => name.toLowerCase()))]
}

export function mayMeet(some: Tables, others: Tables): boolean {
  return some.length === 0 || others.length === 0 || some.some((table) => others.includes(table))
}
