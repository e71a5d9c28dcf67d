/** Texts of others, made safe to stand in XML, HTML and Markdown. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Leaves out what XML cannot hold at all. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (found) => entities[found] as string)
  )
}

/** One line of Markdown that says what the text says: it breaks no table, and is no markup itself. */
export function markdownText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|~#]/g, (found) => `\\${found}`)
}
