/**
 * Makes text of others safe to print: callers choose paths, names and references, and must not forge a line, control
 * the terminal or give a command to the runner of a job.
 */

/** Control characters are shown as JSON writes them. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, asEscape)
}

/** Keeps line breaks and tabs. GitHub runs lines that begin with `::` or `##[`, so these get an invisible space. */
export function printable(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]/g, asEscape)
      .replace(/^([^\S\n]*)(?=::|##\[)/gm, '$1\u200b')
  )
}

function asEscape(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
}
