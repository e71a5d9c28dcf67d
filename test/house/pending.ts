/** What does not keep the rules of the house yet. This list only gets shorter. */

/** Folders whose files are still named like others. */
export const named = /^(?:commands)\//
