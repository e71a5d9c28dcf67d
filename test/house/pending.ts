/** What does not keep the rules of the house yet. This list only gets shorter. */

/** Imports that do not point down, as `from -> to`. */
export const upward: readonly string[] = []

/** What the dashboard knows besides the client. */
export const besidesClient: readonly string[] = []

/** A file of each circle of imports. */
export const inCircles: readonly string[] = []

/** Folders whose files are still named like others. */
export const named = /^(?:commands|testing|dashboard|engine|service|lifecycle)\//

/** Folders where modules still open without a word. */
export const unopened =
  /^(?:callbacks|clock|commands|dashboard|engine|explain|hosts|http|ledger|lifecycle|model|questions|scenarios|server|service|store|testing|world)\//

/** Codes that are still sentences. */
export const sentences = /^(?:world|commands|server\/control|explain)\//

/** Files where a docstring still begins with "The same". */
export const same = /^(?:commands\/server|world\/world)\.ts/
