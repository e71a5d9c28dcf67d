/** Which tables a statement is about. */

/** Names of tables in lower case; none where it may be any. */
export type Tables = readonly string[]

/** What stands before the name of a table. */
const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/gi

/** The tables that a statement changes or looks into. */
export function tablesOf(text: string): Tables {
  return [...new Set([...text.matchAll(TABLE)].map(([, name = '']) => name.toLowerCase()))]
}

/** Whether two statements may be about one table. */
export function mayMeet(some: Tables, others: Tables): boolean {
  return some.length === 0 || others.length === 0 || some.some((table) => others.includes(table))
}
